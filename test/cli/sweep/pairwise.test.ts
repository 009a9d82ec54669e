import { expect, test } from 'vitest'
import type { RunClient } from '../../../src/analysis/variants/sweep.ts'
import type { Variant } from '../../../src/analysis/variants/variant.ts'
import { policyVariants } from '../../../src/analysis/variants/variant.ts'
import { runPairwise } from '../../../src/cli/sweep/pairwise.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'

const settings = resolvePolicies('documented')
const variants = policyVariants(
  ['errors.body', 'keys.missing.status', 'methods.put', 'paths.format', 'versioning'],
  settings,
)

/** A client that fails with some variants. */
function failingWith(fails: (variant: Variant) => boolean): { run: RunClient; tried: Variant[] } {
  const tried: Variant[] = []
  const run: RunClient = async (variant) => {
    if (variant) tried.push(variant)
    const failure = variant && fails(variant) ? 'it fails' : null
    const trace = { requests: 1, consulted: [], unscopedOperations: [], keys: [] }
    return { ...trace, failure, failedTests: null, ms: 1 }
  }
  return { run, tried }
}

test('each pair of values occurs in a run, and the same seed selects the same runs', async () => {
  const [client, again, other] = [
    failingWith(() => false),
    failingWith(() => false),
    failingWith(() => false),
  ]
  await runPairwise(variants, settings, 1, client)
  await runPairwise(variants, settings, 1, again)
  await runPairwise(variants, settings, 2, other)

  const ids = client.tried.map(({ id }) => id)
  const pairs = variants.flatMap((one) => variants.map((two) => [one.id, two.id] as const))
  const missing = pairs.filter(
    ([one, two]) =>
      one.split('=')[0] !== two.split('=')[0] &&
      !ids.some((id) => id.split(' and ').includes(one) && id.split(' and ').includes(two)),
  )
  expect(missing).toEqual([])
  expect(again.tried.map(({ id }) => id)).toEqual(ids)
  expect(other.tried.map(({ id }) => id)).not.toEqual(ids)
})

test('a combination that fails is reduced to the values that are needed', async () => {
  const client = failingWith(
    ({ policies = {} }) => policies['methods.put'] === 'on' && policies['errors.body'] === 'html',
  )
  const outcomes = await runPairwise(variants, settings, 1, client)

  expect(
    outcomes.filter(({ outcome }) => outcome === 'failed').map(({ variant }) => variant.id),
  ).toEqual(['errors.body=html and methods.put=on'])
})
