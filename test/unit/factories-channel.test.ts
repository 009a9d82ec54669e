import { execFileSync } from 'node:child_process'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'

test('a process with a window ends after rows were made: no channel stays open', () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import { factories, generate } from './src/factories.ts'
        const Channel = globalThis.BroadcastChannel
        generate({ generate: { annotations: 10 } })
        factories().annotation()
        console.log(globalThis.BroadcastChannel === Channel)`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
  })
  const code = `globalThis.window = globalThis\n${outputFiles[0]?.text}`
  const printed = execFileSync(process.execPath, ['-'], { input: code, timeout: 20_000 })
  expect(printed.toString()).toBe('true\n')
})
