import { type KeyUse, mergeKeyUse } from '../keys.ts'
import type { ClientTrace } from './client-trace.ts'
import { VariantCollector } from './response-variants.ts'
import type { Variant } from './variant.ts'

/** One run of a client, such as a test suite. */
export interface ClientRun extends ClientTrace {
  /** Why the run failed, such as `the command fails`, or null if it passed */
  readonly failure: string | null
  /** The names of the tests that failed, or null if they are not known */
  readonly failedTests: readonly string[] | null
  readonly ms: number
  /** The end of its output */
  readonly output?: string
}

/** Runs a client against the service as it is (`null`), or against a variant. */
export type RunClient<Run = ClientRun> = (variant: Variant | null, attempt: number) => Promise<Run>

/** How the runs of a sweep are made. */
export interface SweepClient<Run = ClientRun> {
  readonly run: RunClient<Run>
  /** Whether equal runs have equal results, so that a failure is not repeated */
  readonly isSteady?: boolean
  /** How many runs happen at once. Defaults to 1 */
  readonly jobs?: number
  /** Aborted to start no further runs. Runs that end later do not count */
  readonly signal?: AbortSignal
  readonly onOutcome?: (outcome: VariantOutcome<Run>) => void
}

/**
 * How a client fared against a variant. `flaky`: it failed, and passed with the same service. `not_confirmed`: it failed,
 * and an interruption came before enough further runs. `not_tested`: it passed, but
 * no response was another than without a change.
 */
export interface VariantOutcome<Run = ClientRun> {
  readonly variant: Variant
  readonly outcome: 'passed' | 'failed' | 'flaky' | 'not_confirmed' | 'not_tested'
  readonly run: Run
}

/** Runs of a client without a change. */
export interface Baseline {
  /**
   * Only `steady` clients can be swept: they always pass, and send requests. A client `changed` if it passed at first and
   * fails since.
   */
  readonly verdict: 'steady' | 'failing' | 'flaky' | 'changed' | 'no_requests' | 'interrupted'
  readonly runs: readonly ClientRun[]
  /** What both runs did */
  readonly trace: ClientTrace
}

/** Runs a client twice without a change, at once if there are several jobs. */
export async function runUnchanged(client: SweepClient): Promise<Baseline> {
  const runs: ClientRun[] = []
  await forEachConcurrently([1, 2] as const, client, async (attempt) => {
    const run = await client.run(null, attempt)
    if (!client.signal?.aborted) runs.push(run)
  })
  const failures = runs.filter(({ failure }) => failure !== null).length
  const collector = new VariantCollector()
  for (const { variants = {} } of runs) collector.addAll(variants)
  const keys: KeyUse[] = []
  for (const use of runs.flatMap((run) => run.keys)) mergeKeyUse(keys, use)
  const union = <T>(list: (run: ClientRun) => readonly T[]): T[] => [...new Set(runs.flatMap(list))]
  const trace = {
    requests: Math.max(0, ...runs.map(({ requests }) => requests)),
    consulted: union(({ consulted }) => consulted),
    unscopedOperations: union(({ unscopedOperations }) => unscopedOperations),
    keys,
    ...sameResponses(runs),
    ...(runs[0]?.sizes && { sizes: runs[0].sizes }),
    variants: collector.exercised,
  }
  const verdict =
    runs.length < 2
      ? 'interrupted'
      : failures > 0
        ? failures === 2
          ? 'failing'
          : 'flaky'
        : trace.requests === 0
          ? 'no_requests'
          : 'steady'
  return { verdict, runs, trace }
}

/** What the responses were, if they were the same in each run. */
function sameResponses([first, ...others]: readonly ClientRun[]): Pick<ClientTrace, 'responses'> {
  const { responses } = first ?? {}
  const isSame = responses !== undefined && others.every((run) => run.responses === responses)
  return isSame ? { responses } : {}
}

/**
 * Runs a client against each variant, and again if it fails, because only a failure that repeats depends on the variant.
 *
 * @returns the outcomes in the order of the variants. After an interruption, those that are known
 */
export async function runVariants<Run extends Pick<ClientRun, 'failure'>>(
  variants: readonly Variant[],
  client: SweepClient<Run>,
): Promise<VariantOutcome<Run>[]> {
  const outcomes = new Map<Variant, VariantOutcome<Run>>()
  await forEachConcurrently(variants, client, async (variant) => {
    const run = await client.run(variant, 1)
    if (client.signal?.aborted) return
    const isCertain = run.failure === null || client.isSteady
    const again = isCertain ? run : await client.run(variant, 2)
    if (client.signal?.aborted) return
    const repeated = again.failure === null ? 'flaky' : 'failed'
    const outcome = run.failure === null ? 'passed' : repeated
    outcomes.set(variant, { variant, outcome, run })
    client.onOutcome?.({ variant, outcome, run })
  })
  return variants.flatMap((variant) => outcomes.get(variant) ?? [])
}

/**
 * Runs a function for each item, several at once, in their order. An abort or an error starts no further ones. It ends when
 * all have ended, so that none leaves files behind.
 */
export async function forEachConcurrently<T>(
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
