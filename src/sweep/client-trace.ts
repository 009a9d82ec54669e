import { bodyText } from '../http/messages.ts'
import type { SettingId } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Service } from '../simulator/service.ts'
import { formatCount } from '../utils/count.ts'
import { diffValues } from '../utils/diff.ts'
import { formatPath, inspectValue } from '../utils/errors.ts'
import { tryParseJson } from '../utils/json.ts'

/** A request and its response, without times, and without the address that links have. */
interface TracedExchange {
  /** The method, and the path with the query */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a client did in one run. */
export interface ClientTrace {
  /** In the order of the responses */
  readonly exchanges: readonly TracedExchange[]
  /** The settings that the simulator read */
  readonly consulted: readonly SettingId[]
}

/**
 * Follows the requests to a simulator, and to the sandboxes that are created later.
 *
 * @returns a function that returns what the client has done so far
 */
export function traceClient(simulator: Service): () => ClientTrace {
  const exchanges: TracedExchange[] = []
  const consulted = new Set<SettingId>()
  const follow = ({ journal }: Service): void => {
    journal.followRecords((record) => {
      exchanges.push(toTraced(record))
      for (const id of record.usedSettings) consulted.add(id)
    })
  }
  follow(simulator)
  simulator.sandboxes.follow((_id, sandbox) => follow(sandbox))
  return () => ({ exchanges, consulted: [...consulted].toSorted() })
}

function toTraced({ method, target, response }: JournalRecord): TracedExchange {
  const { 'content-length': _, ...headers } = response.headers
  const body = bodyText(response.body)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/https?:\/\/[^/"]+/g, 'origin')
  return { request: `${method} ${target}`, status: response.status, headers, body }
}

/** Whether runs without a change had the same responses, so that another response is due to a change. */
export function areAlike([first, ...others]: readonly ClientTrace[]): boolean {
  return others.every((other) => first && !findOther(first, [other]) && !findOther(other, [first]))
}

/**
 * Says how the first response that no run without a change had differs.
 *
 * @returns null if there is none
 * @example describeDifference(run, clean) // 'GET /api/projects/1/annotations/6/ → 200 instead of 404'
 */
export function describeDifference(
  trace: ClientTrace,
  clean: readonly ClientTrace[],
): string | null {
  const found = findOther(trace, clean)
  if (!found) return null
  const { request, status } = found
  const known = clean.flatMap(({ exchanges }) => exchanges)
  const before = known.find((exchange) => exchange.request === request)
  if (!before) return `${request} → ${status}`
  if (before.status !== status) return `${request} → ${status} instead of ${before.status}`
  const [inBody] = diffValues(bodyOf(before), bodyOf(found), { isExact: true })
  const [difference] = inBody
    ? [inBody]
    : diffValues(before.headers, found.headers, { isExact: true })
  if (!difference) return `${request} → ${status}, with a body that is written otherwise`
  const { path, expected, got } = difference
  const where = formatPath([inBody ? 'body' : 'headers', ...path])
  return `${request} → ${where} is ${inspect(got)} instead of ${inspect(expected)}`
}

function findOther(
  { exchanges }: ClientTrace,
  others: readonly ClientTrace[],
): TracedExchange | undefined {
  const known = new Set(
    others.flatMap((other) => other.exchanges.map((one) => JSON.stringify(one))),
  )
  return exchanges.find((exchange) => !known.has(JSON.stringify(exchange)))
}

function bodyOf({ body }: TracedExchange): unknown {
  return tryParseJson(body)?.value ?? body
}

function inspect(value: unknown): string {
  return Array.isArray(value) ? formatCount(value.length, 'item') : inspectValue(value)
}
