import { bodyText } from '../http/messages.ts'
import type { SettingId } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { diffValues } from '../utils/diff.ts'
import { formatPath, inspectValue } from '../utils/errors.ts'
import { isSameJson, tryParseJson } from '../utils/json.ts'
import { formatCount } from '../utils/text.ts'

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
export function traceClient(simulator: Simulator): () => ClientTrace {
  const exchanges: TracedExchange[] = []
  const consulted = new Set<SettingId>()
  simulator.followWorlds(({ journal }) => {
    journal.followWritten(({ record }) => {
      exchanges.push(toTraced(record))
      for (const id of record.settingReads.ids) consulted.add(id)
    })
  })
  return () => ({ exchanges, consulted: [...consulted].toSorted() })
}

function toTraced({ method, target, response }: JournalRecord): TracedExchange {
  const { 'content-length': _, ...headers } = response.headers
  const body = bodyText(response.body)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/https?:\/\/[^/"]+/g, 'origin')
  return { request: `${method} ${target}`, status: response.status, headers, body }
}

/** The responses of runs without a change, by the occurrence of their request: equal requests are counted. */
export type CleanResponses = ReadonlyMap<string, readonly TracedExchange[]>

export function responsesOf(runs: readonly ClientTrace[]): CleanResponses {
  const responses = new Map<string, TracedExchange[]>()
  for (const [occurrence, exchange] of runs.flatMap(byOccurrence)) {
    const known = responses.get(occurrence)
    if (known) known.push(exchange)
    else responses.set(occurrence, [exchange])
  }
  return responses
}

/** Whether so many runs without a change had the same responses, so that another response is due to a change. */
export function areAlike(clean: CleanResponses, runs: number): boolean {
  return [...clean.values()].every(
    ([first, ...others]) =>
      first && others.length === runs - 1 && others.every((other) => isSame(first, other)),
  )
}

/**
 * Says how the first response differs that no run without a change had at the same place: to the same request, counted from
 * the first one.
 *
 * @returns null if there is none
 * @example describeTraceDifference(run, clean) // 'GET /api/projects/1/annotations/6/ → 200 instead of 404'
 */
export function describeTraceDifference(trace: ClientTrace, clean: CleanResponses): string | null {
  const isKnown = ([occurrence, exchange]: CountedExchange): boolean =>
    clean.get(occurrence)?.some((known) => isSame(known, exchange)) === true
  const changed = byOccurrence(trace).find((counted) => !isKnown(counted))
  if (!changed) return null
  const [occurrence, exchange] = changed
  const { request, status } = exchange
  const before = clean.get(occurrence)?.[0]
  if (!before) return `${request} → ${status}`
  if (before.status !== status) return `${request} → ${status} instead of ${before.status}`
  const [inBody] = diffValues(bodyOf(before), bodyOf(exchange), { isExact: true })
  const [difference] = inBody
    ? [inBody]
    : diffValues(before.headers, exchange.headers, { isExact: true })
  if (!difference) return `${request} → ${status}, with a body that is written otherwise`
  const { path, expected, got } = difference
  const where = formatPath([inBody ? 'body' : 'headers', ...path])
  return `${request} → ${where} is ${inspect(got)} instead of ${inspect(expected)}`
}

type CountedExchange = readonly [occurrence: string, exchange: TracedExchange]

function byOccurrence({ exchanges }: ClientTrace): CountedExchange[] {
  const counts = new Map<string, number>()
  return exchanges.map((exchange) => {
    const { request } = exchange
    const count = (counts.get(request) ?? 0) + 1
    counts.set(request, count)
    return [`${count} ${request}`, exchange]
  })
}

function isSame(a: TracedExchange, b: TracedExchange): boolean {
  return a.status === b.status && a.body === b.body && isSameJson(a.headers, b.headers)
}

function bodyOf({ body }: TracedExchange): unknown {
  return tryParseJson(body)?.value ?? body
}

function inspect(value: unknown): string {
  return Array.isArray(value) ? formatCount(value.length, 'item') : inspectValue(value)
}
