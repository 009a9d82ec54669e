import type { SimulatorOptions } from '../../src/simulator/options.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { twoOrganizations } from '../support/api/two-organizations.ts'
import type { RequestOptions } from '../support/transports/client.ts'
import { start } from '../support/transports/start.ts'

/** A request. */
export type Sent = readonly [method: string, path: string, options?: RequestOptions]

/** The simulator that gets a request. */
export interface Setting extends SimulatorOptions {
  readonly before?: (simulator: Simulator) => unknown
}

/** Sends a request, and returns the suggestion for it. */
export async function suggest(
  [method, path, sent = {}]: Sent,
  { before, ...options }: Setting = {},
) {
  const client = await start({ world: twoOrganizations, ...options })
  await before?.(client.simulator)
  await client.send(method, path, sent).catch(() => {})
  return (await client.simulator.explain(1)).would_succeed
}

/** The suggestion for a request in a line: method, path, label of the key and body. */
export async function suggestLine(sent: Sent, value: Setting = {}): Promise<string | null> {
  const suggested = await suggest(sent, value)
  if (suggested === null) return null
  const { method, path, key, body } = suggested
  return `${method} ${path} (${key?.label})${body === null ? '' : ` ${JSON.stringify(body)}`}`
}
