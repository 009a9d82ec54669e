// The proxy of a recording that records nothing: what is left is handing on.
import { importSource } from '../../.tools/import-source.mjs'

const { startProxy } = await importSource('cli/recording/proxy.ts')

const [target] = process.argv.slice(2)
const { url } = await startProxy({
  target,
  port: 0,
  onExchange() {},
  onSkipped() {},
})
console.log(`Handing on at ${url}`)
