import { endpoints } from '../../api/endpoints.ts'
import { bodyLength, bodyText } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { usedSettings } from '../../sandbox/journal/used-settings.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { isBySetting } from '../../settings/by-setting.ts'
import type { SettingId } from '../../settings/setting.ts'
import {
  addKeyUse,
  everyEndpoint,
  findUsedKey,
  isSameKey,
  type KeyUse,
  nameOfKey,
} from '../keys.ts'
import { type ExercisedVariants, VariantCollector } from './response-variants.ts'

/** What a client did in one run. */
export interface ClientTrace {
  readonly requests: number
  /** The settings that the simulator read */
  readonly consulted: readonly SettingId[]
  /** The operations that it used and whose scope the documentation does not name */
  readonly unscopedOperations: readonly string[]
  /** How it used the keys that the world had at first */
  readonly keys: readonly KeyUse[]
  /** What all of its responses were, apart from times and ports: equal texts mean equal responses */
  readonly responses?: string
  readonly sizes?: Sizes
  /** The variants of its responses. Only if they were collected */
  readonly variants?: ExercisedVariants
}

/**
 * Follows the requests to a simulator, and to the sandboxes that are created later.
 *
 * @param withVariants also collects the variants of the responses, for which each response is parsed
 * @returns a function that returns what the client has done so far
 */
export function traceClient(simulator: SimulatorBase, withVariants = false): () => ClientTrace {
  const collector = withVariants ? new VariantCollector() : null
  const log = new ExchangeLog()
  const consulted = new Set<SettingId>()
  const operations = new Set<string>()
  const uses: KeyUse[] = []
  const known = simulator.keys.list().map(nameOfKey)
  const follow = ({ journal, sandbox }: SimulatorBase): void => {
    journal.followRecords((record) => {
      log.add(toLogged(record))
      collector?.add(record)
      for (const { id } of usedSettings(record)) consulted.add(id as SettingId)
      if (record.operation !== null) operations.add(record.operation)
      const endpoint = everyEndpoint.get(record.operation ?? '')
      const key = findUsedKey(record, sandbox.tables)
      const name = key && nameOfKey(key)
      if (!endpoint || !name || !known.some((one) => isSameKey(one, name))) return
      addKeyUse(uses, name, endpoint, record.settings)
    })
  }
  follow(simulator)
  simulator.sandboxes.follow((_id, sandbox) => follow(sandbox))
  return () => ({
    requests: log.requests,
    sizes: log.sizes,
    responses: log.responses,
    consulted: [...consulted].toSorted(),
    unscopedOperations: endpoints
      .filter(({ id, scope }) => operations.has(id) && isBySetting(scope))
      .map(({ id }) => id),
    keys: uses,
    ...(collector && { variants: collector.exercised }),
  })
}

function toLogged({
  operation,
  method,
  target,
  requestBody,
  response: { status, headers, body },
}: JournalRecord): LoggedExchange {
  const sent = bodyLength(requestBody) ?? 0
  const text = bodyText(body)
  return { operation, method, target, sent, status, headers: Object.entries(headers), text }
}

/** A request and its response. */
interface LoggedExchange {
  readonly operation: string | null
  readonly method: string
  /** The path with the query */
  readonly target: string
  /** The length of its body in bytes */
  readonly sent: number
  readonly status: number
  readonly headers: Iterable<readonly [string, string]>
  /** The body of the response */
  readonly text: string
}

/** How large the inputs and outputs of a run were: settings about limits depend on it. */
interface Sizes {
  /** The most rows that a list had, and the largest limit that was asked for, by operation */
  readonly lists: Readonly<Record<string, { readonly rows: number; readonly limit: number }>>
  /** The longest body that was sent, in bytes */
  readonly body: number
}

/** Keeps of the exchanges of a run what decides whether a setting can matter. */
class ExchangeLog {
  readonly #responses: string[] = []
  sizes: Sizes = { lists: {}, body: 0 }

  add(exchange: LoggedExchange): void {
    this.#responses.push(describeResponse(exchange))
    this.sizes = withSizes(this.sizes, exchange)
  }

  get requests(): number {
    return this.#responses.length
  }

  /** What all responses were, apart from times and ports: equal texts mean equal responses. */
  get responses(): string {
    // Requests that are sent at once come in any order.
    return hash(this.#responses.toSorted().join('\n'))
  }
}

/** Describes a response without times, and without the address that a link has. */
function describeResponse({ method, target, status, headers, text }: LoggedExchange): string {
  const body = text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/https?:\/\/[^/"]+/g, 'origin')
  const entries = [...headers].filter(([name]) => name !== 'content-length')
  return JSON.stringify([method, target, status, entries, body])
}

function withSizes(
  { lists, body }: Sizes,
  { operation, target, sent, text }: LoggedExchange,
): Sizes {
  const longest = Math.max(body, sent)
  const [, count] = /^\{"count":(\d+),/.exec(text) ?? []
  if (count === undefined || operation === null) return { lists, body: longest }
  const limit = Number(new URLSearchParams(queryString(target)).get('limit')) || 0
  const known = lists[operation] ?? { rows: 0, limit: 0 }
  const larger = { rows: Math.max(known.rows, Number(count)), limit: Math.max(known.limit, limit) }
  return { lists: { ...lists, [operation]: larger }, body: longest }
}

/** FNV-1a, because the hashes of Node cannot be imported in a browser. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return `${text.length}-${(value >>> 0).toString(16)}`
}
