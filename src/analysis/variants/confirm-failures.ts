import {
  type Baseline,
  forEachConcurrently,
  type SweepClient,
  type VariantOutcome,
} from './sweep.ts'
import type { Variant } from './variant.ts'

/** What further runs say about the failures of a sweep. */
interface Confirmed {
  /** No longer `steady` if the client failed without a change */
  readonly baseline: Baseline
  /** A failure that did not repeat is `flaky`, and one that an interruption kept from repeating is `not_confirmed` */
  readonly outcomes: readonly VariantOutcome[]
}

/** A client that fails at random may be blamed on a service once in so many sweeps. */
const acceptedLuck = 1 / 1_000

/**
 * Repeats failures, each time beside a run without a change, until a client that fails at random would hardly look like
 * this. So a service is blamed only after a third run without a change, and after more if only few runs are known.
 */
export async function confirmFailures(
  baseline: Baseline,
  outcomes: readonly VariantOutcome[],
  client: SweepClient,
): Promise<Confirmed> {
  const failing = new Set(outcomes.filter(({ outcome }) => outcome === 'failed').map(variantOf))
  const unchanged = [...baseline.runs]
  const passed = outcomes.filter(({ outcome }) => outcome === 'passed').length
  const isMixed = (): boolean => passed + failing.size < outcomes.length
  const current = (left: 'failed' | 'not_confirmed' = 'failed'): readonly VariantOutcome[] =>
    outcomes.map((one) =>
      one.outcome === 'failed'
        ? { ...one, outcome: failing.has(one.variant) ? left : 'flaky' }
        : one,
    )
  const interrupted = (): Confirmed => ({
    baseline: { ...baseline, runs: unchanged },
    outcomes: current('not_confirmed'),
  })
  for (let attempt = 3; failing.size > 0 || (attempt === 3 && isMixed()); attempt++) {
    if (client.signal?.aborted) return interrupted()
    const services: readonly (Variant | null)[] = attempt === 3 ? [null] : [null, ...failing]
    await forEachConcurrently(services, client, async (service) => {
      const run = await client.run(service, attempt)
      if (client.signal?.aborted) return
      if (service === null) unchanged.push(run)
      else if (run.failure === null) failing.delete(service)
    })
    if (client.signal?.aborted) return interrupted()
    if (unchanged.at(-1)?.failure != null) {
      const next = await client.run(null, attempt + 1)
      failing.clear()
      const verdict = next.failure === null ? 'flaky' : 'changed'
      return { baseline: { ...baseline, verdict, runs: [...unchanged, next] }, outcomes: current() }
    }
    const failures = Math.max(2, attempt - 1)
    const luck = Math.min(
      chanceOf(unchanged.length, failures, outcomes.length),
      isMixed()
        ? 1
        : chanceOf(
            unchanged.length + passed,
            failures * failing.size,
            combinations(outcomes.length, failing.size),
          ),
    )
    if (luck <= acceptedLuck) break
  }
  return { baseline: { ...baseline, runs: unchanged }, outcomes: current() }
}

const variantOf = ({ variant }: VariantOutcome): Variant => variant

/**
 * The largest chance that a client that fails at random, however often, passes and fails in exactly these runs.
 *
 * @param ways how many choices of the runs that fail would look alike
 */
function chanceOf(passes: number, failures: number, ways: number): number {
  const share = failures / (passes + failures)
  return ways * share ** failures * (1 - share) ** passes
}

/** In how many ways some of several can be chosen. */
function combinations(all: number, chosen: number): number {
  let ways = 1
  for (let index = 0; index < chosen; index++) ways *= (all - index) / (index + 1)
  return ways
}
