import { bodyText } from '../http/messages.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import type { SettingId, SettingValues } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { diffValues } from '../utils/diff.ts'
import { formatPath, inspectValue } from '../utils/errors.ts'
import { isSameJson, tryParseJson } from '../utils/json.ts'
import { formatCount } from '../utils/text.ts'

/** A request and its response, without times, and without the address that links have. */
export interface TracedExchange {
  /** The id of the simulator or sandbox that answered, in all processes */
  readonly world: string
  /** The name of its test. Null if it has none */
  readonly test: string | null
  /** The method, and the path with the query */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The settings that the simulator read, with their values */
  readonly consulted: SettingOverrides
}

/** What a client did in one run. */
export interface ClientTrace {
  /** Those of one world are in the order of the responses, and the worlds in that of what they answered: they run side by side */
  readonly exchanges: readonly TracedExchange[]
  /** The settings that the simulators read */
  readonly consulted: readonly SettingId[]
}

/**
 * Calls a listener for each response of a simulator, and of the sandboxes that are created later.
 *
 * @param id of the simulator, in all processes
 */
export function followExchanges(
  simulator: Simulator,
  id: string,
  listener: (exchange: TracedExchange) => void,
): void {
  let worlds = 0
  simulator.followWorlds(({ journal }) => {
    worlds += 1
    const world = `${id} ${worlds}`
    journal.followWritten(({ record, test = null }) =>
      listener({ world, test, ...toTraced(record) }),
    )
  })
}

/** @param exchanges in any order of worlds */
export function toTrace(exchanges: readonly TracedExchange[]): ClientTrace {
  const worlds = new Map<string, TracedExchange[]>()
  for (const exchange of exchanges) {
    worlds.set(exchange.world, [...(worlds.get(exchange.world) ?? []), exchange])
  }
  const sorted = [...worlds.values()]
    .map((answered) => ({ answered, content: contentOf(answered) }))
    .toSorted((a, b) => compareText(a.content, b.content))
  const consulted = new Set(exchanges.flatMap(({ consulted }) => Object.keys(consulted)))
  return {
    exchanges: sorted.flatMap(({ answered }) => answered),
    consulted: ([...consulted] as SettingId[]).toSorted(),
  }
}

/** What some worlds answered, without their ids. Tests are first in the order of their names */
function contentOf(exchanges: readonly TracedExchange[]): string {
  return JSON.stringify(
    exchanges.map(({ test, request, status, body, headers }) => [
      test,
      request,
      status,
      body,
      headers,
    ]),
  )
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The settings of some simulators: those of `settings`, or the value that all responses had. Tests can have a profile of
 * their own.
 */
export function settingsOf({ exchanges }: ClientTrace, settings: SettingValues): SettingValues {
  const seen = new Map<string, Set<unknown>>()
  for (const [id, value] of exchanges.flatMap(({ consulted }) => Object.entries(consulted))) {
    seen.set(id, (seen.get(id) ?? new Set()).add(value))
  }
  const only = [...seen].filter(([, values]) => values.size === 1)
  return { ...settings, ...Object.fromEntries(only.map(([id, [value]]) => [id, value])) }
}

function toTraced(record: JournalRecord): Omit<TracedExchange, 'world' | 'test'> {
  const { method, target, response, settingReads, settings } = record
  const { 'content-length': _, ...headers } = response.headers
  const body = bodyText(response.body)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/https?:\/\/[^/"]+/g, 'origin')
  const consulted = Object.fromEntries([...settingReads.ids].map((id) => [id, settings[id]]))
  return { request: `${method} ${target}`, status: response.status, headers, body, consulted }
}

/** The responses of runs without a change, by the occurrence of their request: equal requests of a world are counted. */
type CleanResponses = ReadonlyMap<string, readonly TracedExchange[]>

export function responsesOf(runs: readonly ClientTrace[]): CleanResponses {
  const responses = new Map<string, TracedExchange[]>()
  for (const [occurrence, exchange] of runs.flatMap(byOccurrence)) {
    const known = responses.get(occurrence)
    if (known) known.push(exchange)
    else responses.set(occurrence, [exchange])
  }
  return responses
}

/** Whether runs without a change had the same responses, so that another response is due to a change. */
export function areAlike(runs: readonly ClientTrace[]): boolean {
  const [first, ...others] = runs.map((run) =>
    byOccurrence(run)
      .map(([occurrence, exchange]) => occurrence + contentOf([exchange]))
      .toSorted(),
  )
  return others.every((other) => isSameJson(first, other))
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
    const { world, test, request } = exchange
    const ofWorld = `${world} ${test} ${request}`
    const count = (counts.get(ofWorld) ?? 0) + 1
    counts.set(ofWorld, count)
    return [`${test} ${count} ${request}`, exchange]
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
