import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/** Creates a file with JSON, or with a text, until the test ends. */
export function temporaryFile(content: object | string): string {
  const file = join(temporaryFolder(), 'world.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Creates a folder, by default without files, until the test ends. @param context of a test among concurrent ones */
export function temporaryFolder(
  files: Readonly<Record<string, object>> = {},
  context: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-test-'))
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}
