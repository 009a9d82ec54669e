import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a process with a window object ends after rows were created: no channel stays open', () => {
  const built = new URL('../../../dist/factories.js', import.meta.url).href
  const code = `globalThis.window = globalThis
    const { factories } = await import('${built}')
    console.log(factories().annotation().id)`
  const stdout = execFileSync(process.execPath, ['--input-type=module'], {
    input: code,
    timeout: 120_000,
  })
  expect(stdout.toString()).toBe('1\n')
})
