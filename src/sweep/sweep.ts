import { bodyText } from '../http/messages.ts'
import type { Evidence } from '../settings/evidence.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  otherValues,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingIds,
} from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { diffValues } from '../utils/diff.ts'
import { formatPath, inspectValue } from '../utils/errors.ts'
import { isSameJson, tryParseJson } from '../utils/json.ts'
import { groupBy } from '../utils/latest-map.ts'
import { compareText, formatCount } from '../utils/text.ts'

/** One plausible other service: a setting has another value than in a run. */
export interface Variant {
  /** A unique name, such as `annotations.delete.status=404` */
  readonly id: string
  readonly on: SettingId
  /** What differs, such as `Both return them, with deleted: true.` */
  readonly sentence: string
  readonly evidence: Evidence
  readonly source: string
  readonly settings: SettingOverrides
}

interface ClientRun extends ClientTrace {
  /** Why the run failed, such as `the command fails`, or null if it passed */
  readonly failure: string | null
  readonly ms: number
  readonly output?: string
}

export interface SweepClient {
  /**
   * Runs the client against the service as it is (`null`), or against a variant.
   *
   * @param limit milliseconds after which a run fails. Null for the first runs, whose time is not known
   */
  readonly run: (variant: Variant | null, limit: number | null) => Promise<ClientRun>
  /** How many runs happen at once. Defaults to 1 */
  readonly jobs?: number
  /** Aborted to start no further runs. Runs that end later do not count */
  readonly signal?: AbortSignal
  readonly onOutcome?: (outcome: VariantOutcome) => void
}

/**
 * How a client fared against a variant. `flaky`: it failed, and passed with the same service. `not_tested`: it passed, but
 * no response was another than without a change.
 */
export interface VariantOutcome {
  readonly variant: Variant
  readonly outcome: 'passed' | 'failed' | 'flaky' | 'not_tested'
  /** Why the first run failed, or null if it passed */
  readonly failure: string | null
  readonly ms: number
  /** The first response that no run without a change had, in words. Null if there is none, or if such runs differ, too */
  readonly difference: string | null
}

export interface Baseline {
  /** Only `steady` clients can be swept: they always pass, and send requests */
  readonly verdict: 'steady' | 'failing' | 'flaky' | 'no_requests' | 'interrupted'
  readonly runs: readonly ClientRun[]
  readonly trace: ClientTrace
}

/** What a sweep found out. A client that is not steady has no outcomes, or random ones. */
export interface Swept {
  readonly baseline: Baseline
  /** In the order of the variants. After an interruption, those that are known */
  readonly outcomes: readonly VariantOutcome[]
}

/**
 * Runs a client twice without a change, and then against each variant. A failure counts if a second run fails, too. If one
 * counts, one more run without a change must pass at the end, and if several did not repeat, as many must have: else the
 * client fails at random, or since some time.
 *
 * @param listVariants called with the first runs, if they are steady
 */
export async function sweepClient(
  client: SweepClient,
  listVariants: (baseline: Baseline) => readonly Variant[],
): Promise<Swept> {
  const { signal } = client
  const clean: ClientRun[] = []
  const runClean = async (limit: number | null) => {
    const run = await client.run(null, limit)
    if (!signal?.aborted) clean.push(run)
  }
  await forEachConcurrently([null, null], client, runClean)
  const baseline = judge(clean)
  if (baseline.verdict !== 'steady') return { baseline, outcomes: [] }
  const slowest = Math.max(...clean.map(({ ms }) => ms))
  const limit = Math.max(30_000, 10 * slowest)
  const responses = groupBy(clean.flatMap(byOccurrence), ([occurrence]) => occurrence)
  const isRepeatable = areAlike(clean)
  const results = new Map<Variant, VariantOutcome>()
  const variants = listVariants(baseline)
  await forEachConcurrently(variants, client, async (variant) => {
    const run = await client.run(variant, limit)
    if (signal?.aborted) return
    const { ms, failure } = run
    const again = failure === null ? run : await client.run(variant, limit)
    if (signal?.aborted) return
    const difference = isRepeatable ? describeTraceDifference(run, responses) : null
    const isUntested = isRepeatable && difference === null
    const passed = isUntested ? 'not_tested' : 'passed'
    const failed = again.failure === null ? 'flaky' : 'failed'
    const outcome = failure === null ? passed : failed
    const result = { variant, outcome, failure, ms, difference } as const
    results.set(variant, result)
    client.onOutcome?.(result)
  })
  const outcomes = variants.flatMap((variant) => results.get(variant) ?? [])
  const count = (wanted: VariantOutcome['outcome']) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  if (count('failed') + count('flaky') > 0 && !signal?.aborted) await runClean(limit)
  const isRandom = count('flaky') > Math.max(1, count('failed'))
  const isFlaky = isRandom || clean.some(({ failure }) => failure !== null)
  return { baseline: { ...judge(clean), ...(isFlaky && { verdict: 'flaky' }) }, outcomes }
}

function judge(runs: readonly ClientRun[]): Baseline {
  const failures = runs.filter(({ failure }) => failure !== null).length
  const [{ exchanges = [] } = {}] = runs
  const consulted = [...new Set(runs.flatMap((run) => run.consulted))]
  const passing = runs.every((run) => run.exchanges.length === 0) ? 'no_requests' : 'steady'
  const failing = failures === runs.length ? 'failing' : 'flaky'
  const verdict = runs.length < 2 ? 'interrupted' : failures > 0 ? failing : passing
  return { verdict, runs, trace: { exchanges, consulted } }
}

/**
 * Runs a function for each item, several at once, in their order. An abort or an error starts no further ones. It ends when
 * all have ended, so that none leaves files behind.
 */
async function forEachConcurrently<T>(
  items: readonly T[],
  { jobs = 1, signal }: Pick<SweepClient, 'jobs' | 'signal'>,
  run: (item: T) => Promise<void>,
) {
  const queue = items.values()
  const errors: unknown[] = []
  const work = async () => {
    for (const item of queue) {
      if (signal?.aborted || errors.length > 0) return
      await run(item).catch((error) => errors.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, work))
  if (errors.length > 0) throw errors[0]
}

type NumericSetting = {
  [Id in SettingId]: SettingValue<Id> extends number ? Id : never
}[SettingId]

// Tests have few rows, so two rows per page stand for every page that is smaller than a list.
const pageSizes = [2, 100]

/** The values of settings of whole numbers that a sweep tries. */
const plausibleNumbers: Readonly<Record<NumericSetting, readonly number[]>> = {
  'annotations.list.limit.default': pageSizes,
  'plugins.list.limit.default': pageSizes,
  'projects.list.limit.default': pageSizes,
  // The default limit of Express, and the value of the profile `live`.
  'limits.body': [102_400, 20_971_520],
}

/** Lists each other plausible value of some settings, in the order of the settings. */
export function settingVariants(ids: Iterable<SettingId>, settings: SettingValues): Variant[] {
  const wanted = new Set(ids)
  const inOrder = settingIds.filter((id) => wanted.has(id))
  return otherValues(inOrder, settings, plausibleNumbers).map(({ id, value }) => {
    const { meaning, evidence, source } = describeValue(id, value)
    const settings: SettingOverrides = { [id]: value }
    return { id: `${id}=${value}`, on: id, sentence: meaning, evidence, source, settings }
  })
}

/** A request and its response, without times, and without the address that links have. */
export interface TracedExchange {
  /** The id of the simulator or sandbox that answered, in all processes */
  readonly world: string
  /** The name of its test. Null if it has none */
  readonly test: string | null
  /** The method, and the path with the query, without secrets */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The settings that the simulator read, with their values */
  readonly consulted: SettingOverrides
}

export interface ClientTrace {
  /** Those of one world are in the order of the responses, and the worlds in that of what they answered: they run side by side */
  readonly exchanges: readonly TracedExchange[]
  readonly consulted: readonly SettingId[]
}

/** Calls a listener for each response of a simulator, and of sandboxes created later. @param id in all processes */
export function followExchanges(
  simulator: Simulator,
  id: string,
  listener: (exchange: TracedExchange) => void,
): void {
  let worlds = 0
  simulator.followWorlds(({ journal }) => {
    worlds += 1
    const world = `${id} ${worlds}`
    journal.followWritten(({ record, target, test = null }) =>
      listener({ world, test, ...toTraced(record, target) }),
    )
  })
}

/** @param exchanges in any order of worlds */
export function toTrace(exchanges: readonly TracedExchange[]): ClientTrace {
  const sorted = [...groupBy(exchanges, ({ world }) => world).values()]
    .map((answered) => ({ answered, content: contentOf(answered) }))
    .toSorted((a, b) => compareText(a.content, b.content))
  const consulted = new Set(exchanges.flatMap(({ consulted }) => Object.keys(consulted)))
  return {
    exchanges: sorted.flatMap(({ answered }) => answered),
    consulted: ([...consulted] as SettingId[]).toSorted(),
  }
}

/** What some worlds answered, without their ids. Tests are first in the order of their names */
function contentOf(exchanges: readonly TracedExchange[]) {
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

/** @param target with masked keys */
function toTraced(record: JournalRecord, target: string): Omit<TracedExchange, 'world' | 'test'> {
  const { method, response, settingReads, settings } = record
  const { 'content-length': _, ...headers } = response.headers
  const body = bodyText(response.body)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/https?:\/\/[^/"]+/g, 'origin')
  const consulted = Object.fromEntries([...settingReads.ids].map((id) => [id, settings[id]]))
  return { request: `${method} ${target}`, status: response.status, headers, body, consulted }
}

/** The responses of runs without a change, by the occurrence of their request: equal requests of a world are counted. */
type CleanResponses = ReadonlyMap<string, readonly CountedExchange[]>

/** Whether runs without a change had the same responses, so that another response is due to a change. */
function areAlike(runs: readonly ClientTrace[]) {
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
function describeTraceDifference(trace: ClientTrace, clean: CleanResponses): string | null {
  const isKnown = ([occurrence, exchange]: CountedExchange) =>
    clean.get(occurrence)?.some(([, known]) => contentOf([known]) === contentOf([exchange])) ===
    true
  const changed = byOccurrence(trace).find((counted) => !isKnown(counted))
  if (!changed) return null
  const [occurrence, exchange] = changed
  const { request, status } = exchange
  const [, before] = clean.get(occurrence)?.[0] ?? []
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

function bodyOf({ body }: TracedExchange): unknown {
  return tryParseJson(body)?.value ?? body
}

function inspect(value: unknown) {
  return Array.isArray(value) ? formatCount(value.length, 'item') : inspectValue(value)
}
