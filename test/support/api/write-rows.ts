import type { Simulator } from '../../../src/simulator.ts'

const list = '/api/projects/1/annotations/'

export async function writeRows(simulator: Simulator): Promise<unknown[]> {
  const headers = { ...authorization('phx_all'), 'content-type': 'application/json' }
  const responses = [
    await simulator.fetch(list, { method: 'POST', headers, body: '{"content":"New"}' }),
    await simulator.fetch(`${list}1/`, { method: 'PATCH', headers, body: '{"deleted":true}' }),
  ]
  const key = simulator.keys.issue()
  const user = simulator.world.users.create()
  return [...(await Promise.all(responses.map((response) => response.text()))), key, user]
}

/** Returns the headers of a request with a key. */
export function authorization(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
