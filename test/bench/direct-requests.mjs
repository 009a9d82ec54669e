// Requests to the handlers of a simulator without fetch objects, as the standalone server sends them.
import { toApiHandler } from '../../dist/http/route.js'

const encoder = new TextEncoder()

/** Returns a function that sends a request with a key. It throws if a request is refused, or if one is not that should be. */
export function createDirectClient(simulator) {
  const handlers = simulator.handlers.map(toApiHandler)
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
    for (const handler of handlers) {
      const match = handler?.match(method, request.url, request)
      if (!match) continue
      const response = match.handle(request)
      if (response.status >= 300 !== isRefused) {
        throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
      }
      return response
    }
    throw new Error(`No endpoint matches ${method} ${path}.`)
  }
}

/** Headers as node:http has them: an object, read by name. */
function headersWith(key) {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { get: (name) => all[name] ?? null, entries: () => Object.entries(all) }
}
