// Requests to the handlers of a simulator without fetch objects, as the standalone server sends them.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// The library has it inside of a file that exports what users need.
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../../src/http/route.ts', import.meta.url))],
  ...{ bundle: true, format: 'esm', write: false },
})
const { compileHandlers } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
)

const encoder = new TextEncoder()

/** Returns a function that sends a request with a key. It throws if a request is refused, or if one is not that should be. */
export function createDirectClient(simulator) {
  const find = compileHandlers(simulator.apiHandlers)
  return (method, path, { query = '', body, key = 'phx_all', isRefused = false } = {}) => {
    const target = query ? `${path}?${query}` : path
    const request = {
      method,
      url: `http://x.test${target}`,
      target,
      query,
      headers: headersWith(key),
      body: body === undefined ? null : encoder.encode(JSON.stringify(body)),
    }
    const match = find(request.url, request)
    if (!match) throw new Error(`No endpoint matches ${method} ${path}.`)
    const response = match.handle(request)
    if (response.status >= 300 !== isRefused) {
      throw new Error(`${method} ${path}: ${response.status} ${response.body}`)
    }
    return response
  }
}

/** Headers as node:http has them: an object, read by name. */
function headersWith(key) {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { get: (name) => all[name] ?? null, entries: () => Object.entries(all) }
}
