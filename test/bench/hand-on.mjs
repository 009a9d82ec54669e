// The proxy of a recording that records nothing: what is left is handing on.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../../src/server/recording-proxy.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  // For the CommonJS packages that it bundles.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire('/')",
  },
  write: false,
})
const source = `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
const { startProxy } = await import(source)

const [target] = process.argv.slice(2)
const { url } = await startProxy({
  target,
  port: 0,
  onExchange() {},
  onSkipped() {},
})
console.log(`Handing on at ${url}`)
