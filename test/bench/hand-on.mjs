// The proxy of a recording that records nothing: what is left is handing on.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const {
  outputFiles: [{ text }],
} = await build({
  entryPoints: [fileURLToPath(new URL('../../src/cli/recording/proxy.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/')" },
  write: false,
})
const { startProxy } = await import(`data:text/javascript,${encodeURIComponent(text)}`)

const [target] = process.argv.slice(2)
const { url } = await startProxy({
  target,
  port: 0,
  onRequest() {},
  onExchange() {},
  onSkipped() {},
})
console.log(`Handing on at ${url}`)
