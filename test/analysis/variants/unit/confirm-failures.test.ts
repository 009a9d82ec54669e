import { expect, test } from 'vitest'
import { confirmFailures } from '../../../../src/analysis/variants/confirm-failures.ts'
import { findDependences } from '../../../../src/analysis/variants/dependences.ts'
import {
  type ClientRun,
  type RunClient,
  runUnchanged,
  runVariants,
} from '../../../../src/analysis/variants/sweep.ts'
import { settingVariants } from '../../../../src/analysis/variants/variant.ts'
import { resolveSettings } from '../../../../src/settings/resolve.ts'
import { settingIds } from '../../../../src/settings/setting.ts'
import { createRandom } from '../../../support/random.ts'

const settings = resolveSettings('documented')
const variants = settingVariants(settingIds, settings)

const runOf = (hasFailed: boolean): ClientRun => ({
  ...{ requests: 1, consulted: [], unscopedOperations: [], keys: [], ms: 1 },
  ...{ failure: hasFailed ? 'the command fails' : null, failedTests: null },
})

/** Sweeps a client against some services. @returns what it is said to be, the blamed settings, and all runs */
async function sweep(count: number, hasFailed: (id: string, nth: number) => boolean) {
  const runs: string[] = []
  const run: RunClient = async (variant, attempt) => {
    const id = variant?.id ?? 'unchanged'
    runs.push(`${id} ${attempt}`)
    return runOf(hasFailed(id, runs.length))
  }
  const baseline = await runUnchanged({ run })
  if (baseline.verdict !== 'steady') return { verdict: baseline.verdict, blamed: [], runs }
  const tried = variants.slice(0, count)
  const confirmed = await confirmFailures(baseline, await runVariants(tried, { run }), { run })
  const { verdict } = confirmed.baseline
  const blamed = findDependences(confirmed.outcomes, settings).map(({ on }) => on)
  return { verdict, blamed: verdict === 'steady' ? blamed : [], runs }
}

test.each([0.05, 0.1, 0.25, 0.5, 0.75])(
  'of two thousand sweeps of a command that fails at random, %d of its runs, at most one in 400 blames a setting',
  async (share) => {
    const { below } = createRandom(26)
    let wrong = 0
    for (let nth = 0; nth < 2_000; nth++) {
      const { blamed } = await sweep(1 + (nth % 40), () => below(1_000) < share * 1_000)
      if (blamed.length > 0) wrong += 1
    }

    expect(wrong).toBeLessThanOrEqual(5)
  },
)

test('no setting is blamed by twenty sweeps of a command that fails one time in four', async () => {
  const { below } = createRandom(4)

  const results = []
  for (let nth = 0; nth < 20; nth++) results.push(await sweep(15, () => below(4) === 0))

  expect(results.flatMap(({ blamed }) => blamed)).toEqual([])
})

test('a command that fails every second time is flaky, also if it passes twice at first', async () => {
  const failing = (nth: number): boolean => nth > 2 && nth % 2 === 1

  const { verdict, blamed } = await sweep(15, (_, nth) => failing(nth))

  expect([verdict, blamed]).toEqual(['flaky', []])
})

test('a command that fails from some time on has changed, so that no setting is blamed', async () => {
  const { verdict, blamed, runs } = await sweep(15, (_, nth) => nth > 10)

  expect([verdict, blamed]).toEqual(['changed', []])
  expect(runs.slice(-2)).toEqual(['unchanged 3', 'unchanged 4'])
})

test('a steady command has one more run without a change if many others pass, and no further runs if all do', async () => {
  const broken = variants.slice(3, 6).map(({ id }) => id)

  const tolerant = await sweep(40, () => false)
  const dependent = await sweep(40, (id) => broken.includes(id))

  expect(tolerant.runs.length).toBe(40 + 2)
  expect(dependent.verdict).toBe('steady')
  expect(dependent.blamed).toEqual([...new Set(broken.map((id) => id.split('=')[0]))])
  expect(dependent.runs.length).toBe(40 + 2 + 3 + 1)
})

test('a failure among few runs is repeated beside runs without a change', async () => {
  const [first] = variants

  const { verdict, blamed, runs } = await sweep(2, (id) => id === first?.id)

  expect([verdict, blamed]).toEqual(['steady', [first?.id.split('=')[0]]])
  const blamedRuns = runs.filter((run) => run.startsWith(`${first?.id} `))
  expect(blamedRuns).toEqual([1, 2, 4, 5, 6].map((attempt) => `${first?.id} ${attempt}`))
  expect(runs.filter((run) => run.startsWith('unchanged'))).toHaveLength(6)
})

test('after an interruption a failure is not confirmed, and nothing depends on it', async () => {
  const controller = new AbortController()
  const [broken] = variants
  const run: RunClient = async (variant, attempt) => {
    if (attempt === 3) controller.abort()
    return runOf(variant === broken)
  }
  const client = { run, signal: controller.signal }
  const baseline = await runUnchanged(client)
  const tried = await runVariants(variants.slice(0, 2), client)

  const { outcomes } = await confirmFailures(baseline, tried, client)

  expect(tried.map(({ outcome }) => outcome)).toEqual(['failed', 'passed'])
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['not_confirmed', 'passed'])
  expect(findDependences(outcomes, settings)).toEqual([])
})
