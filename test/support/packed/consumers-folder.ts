import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** A folder for the projects that install the package: all test files of a run share it, and it goes with the run. */
export default function provideFolder(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-package-'))
  project.provide('consumers', folder)
  return () => rm(folder, { recursive: true, force: true })
}
