import type { Simulator } from '../../../src/simulator/simulator.ts'
import { jsonHeaders } from './headers.ts'
import { annotationsPath } from './paths.ts'

export async function writeRows(simulator: Simulator): Promise<unknown[]> {
  const headers = jsonHeaders()
  const responses = [
    await simulator.fetch(annotationsPath, { method: 'POST', headers, body: '{"content":"New"}' }),
    await simulator.fetch(`${annotationsPath}1/`, {
      method: 'PATCH',
      headers,
      body: '{"deleted":true}',
    }),
  ]
  const key = simulator.keys.issue()
  const user = simulator.world.users.add()
  return [...(await Promise.all(responses.map((response) => response.text()))), key, user]
}
