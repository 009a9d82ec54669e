import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { compareServer as compare } from '../../src/compare/compare-server.ts'
import type { Comparison } from '../../src/compare/comparison.ts'
import { parseKeys } from '../../src/compare/keys.ts'
import { observeServer } from '../../src/compare/observe-server.ts'
import { simulateProbes } from '../../src/compare/probed-answers.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { acme, initech } from '../support/api/paths.ts'
import { twoOrganizations } from '../support/api/two-organizations.ts'

/** The world `default`, whose users belong to a second organization, which has a project and no plugin. */
const world: WorldJson = {
  ...twoOrganizations,
  annotations: (defaultWorld as WorldJson).annotations ?? [],
  keys: (defaultWorld as WorldJson).keys ?? [],
  users: (twoOrganizations.users ?? []).map((user) => ({
    ...user,
    organizations: [acme, initech],
  })),
}

/** One key of each kind, as users name them with `--key`. */
export const allKeys: Readonly<Record<string, string>> = {
  all: 'phx_all',
  old: 'phx_old',
  none: 'phx_none',
  'plugin:read': 'phx_plugin_read',
  'annotation:write': 'phx_annotation_write',
}

/** A simulator, as a server whose settings are to be found. */
export function createServer(hidden: SettingOverrides = {}, rows: WorldJson = world): Simulator {
  return createSimulator({ world: rows, settings: hidden, clock: '2024-06-15T12:00:00Z' })
}

/** A JSON response, which a test changes. */
interface Answered {
  readonly method: string
  readonly url: string
  /** What the request sent */
  readonly sent: Readonly<Record<string, unknown>>
  status: number
  type: string
  /** Null sends none */
  body: Record<string, unknown> | readonly unknown[] | null
}

/** A server whose JSON responses are changed. */
export function changing(
  server: Simulator,
  change: (answered: Answered & { readonly fields: Record<string, unknown> }) => unknown,
): Simulator['fetch'] {
  return async (url, init) => {
    const response = await server.fetch(url, init)
    const text = await response.text()
    if (!text.startsWith('{')) return new Response(text || null, response)
    const fields = JSON.parse(text)
    const answered = {
      ...{ method: init?.method ?? 'GET', url: String(url), type: 'application/json' },
      ...{ status: response.status, body: fields as Answered['body'], fields },
      sent: init?.body?.toString().startsWith('{') ? JSON.parse(`${init.body}`) : {},
    }
    change(answered)
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    headers.set('content-type', answered.type)
    const body = answered.body === null ? null : JSON.stringify(answered.body)
    return new Response(body, { status: answered.status, headers })
  }
}

/** The ids of rows that a comparison left. */
export function ownRows({ world: rows }: Simulator): unknown[] {
  const isOwn = (row: object): boolean => JSON.stringify(row).includes('understudy ')
  return [
    ...rows.annotations.list().filter((row) => isOwn(row) && !row.deleted),
    ...rows.plugins.list().filter(isOwn),
  ]
}

export type Fetch = Simulator['fetch']

const simulated = new Map<string, WeakRef<ReturnType<typeof simulateProbes>>>()

/**
 * Sends the same probes to the same simulator once while the answers are kept: they are most of the time of a comparison,
 * and, kept for long, a third of what V8 looks through at each collection.
 */
const simulateOnce: typeof simulateProbes = (...trial) => {
  const name = JSON.stringify(trial)
  const answers = simulated.get(name)?.deref() ?? simulateProbes(...trial)
  simulated.set(name, new WeakRef(answers))
  return answers
}

type Options = Parameters<typeof compare>[0]

const optionsFor = (
  server: Pick<Simulator, 'fetch'> | Fetch,
  keys: Readonly<Record<string, string>>,
  more: Partial<Options>,
): Options => {
  return {
    url: 'http://localhost',
    send: (...request) =>
      typeof server === 'function' ? server(...request) : server.fetch(...request),
    keys: parseKeys(keys),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 2000,
    allowWrites: true,
    marker: 'k2j4',
    wait: async () => {},
    simulate: simulateOnce,
    ...more,
  }
}

/** Compares a server that is called without a network, as `--allow-writes` does. It waits for nothing. */
export function compareServer(
  server: Pick<Simulator, 'fetch'> | Fetch,
  keys: Readonly<Record<string, string>>,
  more: Partial<Options> = {},
): Promise<Comparison> {
  return compare(optionsFor(server, keys, more))
}

/** Sends the requests of such a comparison, and concludes nothing. */
export const observe = (...args: Parameters<typeof optionsFor>) =>
  observeServer(optionsFor(...args))

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
