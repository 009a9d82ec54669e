import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'

test('a page that imports connect() alone does not load the simulator', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: "import { connect } from './src/index.ts'; globalThis.connect = connect",
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['msw'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })

  const [output] = Object.values(metafile.outputs)
  const kept = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput)
  expect(
    kept.map(([file]) => file).filter((file) => /zod|msw|world\/table|server/.test(file)),
  ).toEqual([])
  expect(gzipSync(outputFiles?.[0]?.contents ?? '').length).toBeLessThan(5_000)
})
