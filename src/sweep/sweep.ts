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
import { areAlike, type ClientTrace, describeTraceDifference, responsesOf } from './client-trace.ts'

/** One plausible other service: a setting has another value than in a run. */
export interface Variant {
  /** A unique name, such as `annotations.delete.status=404` */
  readonly id: string
  readonly on: SettingId
  /** What differs, such as `Both return them, with deleted: true.` */
  readonly sentence: string
  /** Why the other service is plausible */
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
  readonly settings: SettingOverrides
}

/** One run of a client, such as a test suite. */
interface ClientRun extends ClientTrace {
  /** Why the run failed, such as `the command fails`, or null if it passed */
  readonly failure: string | null
  readonly ms: number
  /** The end of its output */
  readonly output?: string
}

/** How the runs of a sweep are made. */
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

/** The runs of a client without a change. */
export interface Baseline {
  /** Only `steady` clients can be swept: they always pass, and send requests */
  readonly verdict: 'steady' | 'failing' | 'flaky' | 'no_requests' | 'interrupted'
  readonly runs: readonly ClientRun[]
  /** What the runs did */
  readonly trace: ClientTrace
}

/** What a sweep found out. A client that is not steady has no outcomes, or some that failed at random. */
export interface Swept {
  readonly baseline: Baseline
  /** In the order of the variants. After an interruption, those that are known */
  readonly outcomes: readonly VariantOutcome[]
}

/**
 * Runs a client twice without a change, and then against each variant. A failure counts if a second run fails, too. In the
 * end, one more run without a change must pass, and if several failures did not repeat, more must have: else the client fails
 * at random, or since some time.
 *
 * @param listVariants called with the first runs, if they are steady
 */
export async function sweepClient(
  client: SweepClient,
  listVariants: (baseline: Baseline) => readonly Variant[],
): Promise<Swept> {
  const { signal } = client
  const clean: ClientRun[] = []
  const runClean = async (limit: number | null): Promise<void> => {
    const run = await client.run(null, limit)
    if (!signal?.aborted) clean.push(run)
  }
  await forEachConcurrently([null, null], client, runClean)
  const baseline = judge(clean)
  if (baseline.verdict !== 'steady') return { baseline, outcomes: [] }
  const slowest = Math.max(...clean.map(({ ms }) => ms))
  const limit = Math.max(30_000, 10 * slowest)
  const responses = responsesOf(clean)
  const isRepeatable = areAlike(clean)
  const known = new Map<Variant, VariantOutcome>()
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
    known.set(variant, result)
    client.onOutcome?.(result)
  })
  const outcomes = variants.flatMap((variant) => known.get(variant) ?? [])
  const count = (wanted: VariantOutcome['outcome']): number =>
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
): Promise<void> {
  const queue = items.values()
  const errors: unknown[] = []
  const work = async (): Promise<void> => {
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
