// The proxy of a recording that records nothing: what is left is handing on.
import { startProxy } from '../../dist/cli/recording/proxy.js'

const [target] = process.argv.slice(2)
const { url } = await startProxy({
  target,
  port: 0,
  onRequest() {},
  onExchange() {},
  onSkipped() {},
})
console.log(`Handing on at ${url}`)
