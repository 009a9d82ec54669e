import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Provides a folder for the projects that install the package. All test files of a run share it; it is removed afterwards. */
export default function provideFolder(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-package-'))
  project.provide('consumers', folder)
  return () => rm(folder, { recursive: true, force: true })
}
