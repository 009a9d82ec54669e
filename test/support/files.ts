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

/** A folder with some files of JSON, or none, for as long as the test runs. */
export function temporaryFolder(files: Readonly<Record<string, object>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}
