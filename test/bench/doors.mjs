// One answer of a simulator without fetch objects, as the standalone server asks for it.
import { doorOf, meetingOf } from '../../dist/adapters/door.js'

const bytes = new TextEncoder()

/** Gives a function that asks with a key, and throws for another answer than was expected. */
export function doorsOf(simulator) {
  const doors = simulator.handlers.map(doorOf)
  return function ask(method, path, { query = '', body, key = 'phx_all', isRefused = false } = {}) {
    const target = query ? `${path}?${query}` : path
    const call = {
      method,
      url: `http://x.test${target}`,
      target,
      query,
      headers: headersOf(key),
      body: body === undefined ? null : bytes.encode(JSON.stringify(body)),
    }
    for (const door of doors) {
      const meeting = meetingOf(door, method, call)
      if (!meeting) continue
      const given = meeting.answer(call)
      if (given.status >= 300 !== isRefused) {
        throw new Error(`${method} ${path} answered ${given.status}: ${given.text}`)
      }
      return given
    }
    throw new Error(`Failed to ask: expected an endpoint, got ${method} ${path}.`)
  }
}

/** As node:http has them: an object, read by name. */
function headersOf(key) {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { get: (name) => all[name] ?? null, entries: () => Object.entries(all) }
}
