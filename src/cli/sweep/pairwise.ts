import {
  runVariants,
  type SweepClient,
  type VariantOutcome,
} from '../../analysis/variants/sweep.ts'
import type { Variant } from '../../analysis/variants/variant.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'

type Settings = Readonly<Record<string, string | number>>

/**
 * Runs a client with combinations of values that pass alone, so that each pair of them occurs in a run. Of a combination
 * that fails, only the values that are needed to make it fail are reported.
 *
 * @param passed the variants of single policies that the client passed
 * @param settings the settings of all policies
 * @param seed selects the combinations
 */
export async function runPairwise(
  passed: readonly Variant[],
  settings: Settings,
  seed: number,
  client: SweepClient,
): Promise<VariantOutcome[]> {
  // esbuild gives `import()` of a CommonJS package only its default export if it splits the bundle.
  const library = await import('covertable')
  const { make, sorters } = library.sorters ? library : library.default
  const factors: Record<string, (string | number)[]> = {}
  for (const { policies = {} } of passed) {
    const [[id, value] = []] = Object.entries(policies)
    if (id === undefined) continue
    factors[id] ??= [settings[id] as string | number]
    factors[id].push(value as string | number)
  }
  if (Object.keys(factors).length < 2) return []
  const rows = make(factors, { sorter: sorters.hash, seed })
  const combinations = rows
    .map((row) => Object.entries(row).filter(([id, value]) => value !== settings[id]))
    .filter((changes) => changes.length > 1)
    .map((changes) => combination(Object.fromEntries(changes)))
  const outcomes = await runVariants(combinations, client)
  const reduced: VariantOutcome[] = []
  for (const outcome of outcomes) {
    const isNew = outcome.outcome === 'failed' && !reduced.some((one) => includes(outcome, one))
    reduced.push(isNew ? await reduce(outcome, client) : outcome)
  }
  // A combination that contains another one that fails says nothing more.
  return reduced.filter(
    (outcome) => !reduced.some((other) => other !== outcome && includes(outcome, other)),
  )
}

function combination(policies: Settings): Variant {
  const ids = Object.entries(policies).map(([id, value]) => `${id}=${value}`)
  return {
    id: ids.toSorted().join(' and '),
    sentence: 'Each of these values alone does not break it.',
    evidence: 'assumed',
    source: 'a combination of values that the documentation leaves open',
    policies: policies as PolicyOverrides,
  }
}

function includes(
  { variant }: VariantOutcome,
  { variant: other, outcome }: VariantOutcome,
): boolean {
  const all = new Map(Object.entries(variant.policies ?? {}))
  const some = Object.entries(other.policies ?? {})
  return outcome === 'failed' && some.every(([id, value]) => all.get(id) === value)
}

/** Removes each value without which the client still fails. */
async function reduce(outcome: VariantOutcome, client: SweepClient): Promise<VariantOutcome> {
  let smallest = outcome
  for (const id of Object.keys(outcome.variant.policies ?? {})) {
    const { [id]: _, ...fewer } = smallest.variant.policies as Settings
    const [tried] = await runVariants([combination(fewer)], client)
    if (tried?.outcome === 'failed') smallest = tried
  }
  return smallest
}
