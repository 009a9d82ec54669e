import { compareServer as compare } from '../../../src/compare/compare-server.ts'
import type { Comparison } from '../../../src/compare/comparison.ts'
import { parseKeys } from '../../../src/compare/keys.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'

export type Fetch = Simulator['fetch']

/** Compares a server that is called without a network, as `--allow-writes` does. It waits for nothing. */
export function compareServer(
  server: Pick<Simulator, 'fetch'> | Fetch,
  keys: Readonly<Record<string, string>>,
  more: Partial<Parameters<typeof compare>[0]> = {},
): Promise<Comparison> {
  return compare({
    url: 'http://localhost',
    send: (...request) =>
      typeof server === 'function' ? server(...request) : server.fetch(...request),
    keys: parseKeys(keys),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 2000,
    allowWrites: true,
    marker: 'k2j4',
    wait: async () => {},
    ...more,
  })
}

/** The values that were found, by their settings. */
export function foundIn({ settings }: Comparison): Record<string, string | number> {
  const decided = settings.filter(({ value }) => value !== null)
  return Object.fromEntries(decided.map(({ id, value }) => [id, value as string]))
}

/** The values that were found and are not those of the server. A value that it does not have has no value. */
export function wrongIn(
  comparison: Comparison,
  truth: Readonly<Record<string, string | number>>,
): Record<string, unknown> {
  const wrong = Object.entries(foundIn(comparison)).filter(
    ([id, value]) => String(truth[id]) !== String(value),
  )
  return Object.fromEntries(wrong.map(([id, value]) => [id, { found: value, is: truth[id] }]))
}
