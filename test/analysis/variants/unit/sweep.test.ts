import { expect, test } from 'vitest'
import {
  type ClientRun,
  type RunClient,
  runUnchanged,
  runVariants,
} from '../../../../src/analysis/variants/sweep.ts'
import type { Variant } from '../../../../src/analysis/variants/variant.ts'

const variant = (id: string): Variant => ({ id, sentence: '', evidence: 'assumed', source: '' })

/** A client that fails in some runs, which are named by variant and attempt, such as `a 1`. */
function clientFailing(...failing: readonly string[]) {
  const runs: string[] = []
  let current = 0
  let most = 0
  const run: RunClient = async (tried, attempt) => {
    const name = `${tried?.id ?? 'unchanged'} ${attempt}`
    runs.push(name)
    current += 1
    most = Math.max(most, current)
    await Promise.resolve()
    current -= 1
    return createRun({ failure: failing.includes(name) ? 'it fails' : null })
  }
  return { client: { run }, runs, most: () => most }
}

const createRun = (changes: Partial<ClientRun> = {}): ClientRun => ({
  requests: 1,
  consulted: [],
  unscopedOperations: [],
  keys: [],
  failure: null,
  failedTests: null,
  ms: 1,
  ...changes,
})

test('a variant that fails is tried again, because only a failure that repeats counts', async () => {
  const { client, runs } = clientFailing('b 1', 'c 1', 'c 2')
  const seen: string[] = []

  const outcomes = await runVariants(['a', 'b', 'c'].map(variant), {
    ...client,
    onOutcome: ({ outcome }) => seen.push(outcome),
  })

  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['passed', 'flaky', 'failed'])
  expect(outcomes.map(({ run }) => run.failure)).toEqual([null, 'it fails', 'it fails'])
  expect(seen).toEqual(['passed', 'flaky', 'failed'])
  expect(runs).toEqual(['a 1', 'b 1', 'b 2', 'c 1', 'c 2'])
})

test('as many runs happen at once as there are jobs', async () => {
  const most = []
  for (const jobs of [undefined, 1, 2, 9]) {
    const { client, most: read } = clientFailing()
    const variants = ['a', 'b', 'c'].map(variant)
    await runVariants(variants, { ...client, ...(jobs !== undefined && { jobs }) })
    most.push(read())
  }

  expect(most).toEqual([1, 1, 2, 3])
})

test('after an interruption, no further run starts, and the current one does not count', async () => {
  const controller = new AbortController()
  const { client, runs } = clientFailing('b 1')
  const run: RunClient = (tried, attempt) => {
    if (tried?.id === 'b' && attempt === 2) controller.abort()
    return client.run(tried, attempt)
  }

  const outcomes = await runVariants(['a', 'b', 'c'].map(variant), {
    run,
    signal: controller.signal,
  })

  expect(outcomes.map(({ variant: { id } }) => id)).toEqual(['a'])
  expect(runs).toEqual(['a 1', 'b 1', 'b 2'])
})

test('an error of a run ends the sweep after the runs that have started', async () => {
  const ended: string[] = []
  const run: RunClient = async (tried) => {
    if (tried?.id === 'a') throw new Error('no such command')
    await new Promise((resolve) => setTimeout(resolve, 5))
    ended.push(String(tried?.id))
    return createRun()
  }

  const variants = ['a', 'b', 'c'].map(variant)
  await expect(runVariants(variants, { run, jobs: 2 })).rejects.toThrow('no such command')

  expect(ended).toEqual(['b'])
})

test.each([
  [[null, null], 1, 'steady'],
  [[null, null], 0, 'no_requests'],
  [['it fails', null], 1, 'flaky'],
  [['it fails', 'it fails'], 1, 'failing'],
] as const)(
  'two runs with the failures %j and %i requests: %s',
  async (failures, requests, verdict) => {
    const run: RunClient = async (_, attempt) =>
      createRun({ requests, failure: failures[attempt - 1] ?? null })

    expect((await runUnchanged({ run })).verdict).toBe(verdict)
  },
)

test('an interrupted baseline has no verdict', async () => {
  const controller = new AbortController()
  const run: RunClient = async () => {
    controller.abort()
    return createRun()
  }

  const { verdict, runs } = await runUnchanged({ run, signal: controller.signal })

  expect([verdict, runs]).toEqual(['interrupted', []])
})

test('the trace of a baseline is what both runs did', async () => {
  const key = { key: 'all', scopes: ['*'], refused: [] }
  const listPlugins = { rule: 'plugin:read', enough: ['plugin:read'] } as const
  const createPlugin = { rule: 'plugin:write', enough: ['plugin:write'] } as const
  const run: RunClient = async (_, attempt) =>
    attempt === 1
      ? createRun({
          requests: 3,
          consulted: ['events', 'versioning'],
          keys: [{ ...key, required: { listPlugins } }],
          mutants: { listPlugins: [{ kind: 'slow' }] },
        })
      : createRun({
          requests: 2,
          consulted: ['events', 'methods.put'],
          unscopedOperations: ['upgradePlugin'],
          keys: [{ ...key, required: { createPlugin } }],
          mutants: { listPlugins: [{ kind: 'slow' }, { kind: 'key_order' }] },
        })

  expect((await runUnchanged({ run })).trace).toEqual({
    requests: 3,
    consulted: ['events', 'versioning', 'methods.put'],
    unscopedOperations: ['upgradePlugin'],
    keys: [{ ...key, required: { listPlugins, createPlugin } }],
    mutants: { listPlugins: [{ kind: 'slow' }, { kind: 'key_order' }] },
  })
})
