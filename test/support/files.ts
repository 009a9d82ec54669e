import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A file of some JSON, or of a text as it is, for as long as the test runs. */
export function temporaryFile(content: object | string): string {
  const file = join(temporaryFolder(), 'world.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** An empty folder for as long as the test runs. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
