import { expect, test } from 'vitest'
import type { FaultRule, FaultWhen } from '../../../src/simulator/faults/fault.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { annotationPath as path } from '../../support/api/paths.ts'
import { type Started, start } from '../../support/transports/start.ts'

/** Sends requests and returns the numbers of those that fail, from 1. */
async function failing({ ask }: Started, requests: number): Promise<number[]> {
  const failed: number[] = []
  for (let count = 1; count <= requests; count++) {
    if ((await ask('GET', path)).status === 503) failed.push(count)
  }
  return failed
}

async function failingWhen(when: FaultWhen, options: SimulatorOptions = {}): Promise<number[]> {
  const started = await start(options)
  started.simulator.faults.add({ when, effect: { status: 503 } })
  return failing(started, 12)
}

const conditions: readonly [what: string, when: FaultWhen, failed: readonly number[]][] = [
  ['all requests by default', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  ['the first two requests', { times: 2 }, [1, 2]],
  ['all but the first nine requests', { skip: 9 }, [10, 11, 12]],
  ['only the fourth request', { skip: 3, times: 1 }, [4]],
  ['every fifth request', { every: 5 }, [5, 10]],
  ['every third request after the first two, twice', { skip: 2, every: 3, times: 2 }, [5, 8]],
  ['no request with times: 0', { times: 0 }, []],
  ['no request with probability: 0', { probability: 0 }, []],
  ['every request with probability: 1, up to times', { probability: 1, times: 3 }, [1, 2, 3]],
]

test.each(conditions)('a rule applies to %s', async (_, when, failed) => {
  expect(await failingWhen(when)).toEqual(failed)
})

test('a rule for a key applies wherever a request has its key', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  simulator.faults.add({ key: 'all', effect: { status: 503 } })
  const body = { personal_api_key: 'phx_all', content: 'A' }

  const statuses = [
    (await ask('GET', path)).status,
    (await ask('GET', `${path}?personal_api_key=phx_all`, { key: null })).status,
    (await ask('POST', '/api/projects/1/annotations/', { key: null, body })).status,
    (await ask('GET', path, { key: 'phx_read' })).status,
  ]

  expect(statuses).toEqual([503, 503, 503, 401])
})

test('for_s counts from the first request that a rule applies to, by the clock', async () => {
  const started = await start({ clock: '2024-06-15T12:00:00Z' })
  const { faults, clock } = started.simulator
  faults.add({ when: { skip: 1, for_s: 20 }, effect: { status: 503 } })
  clock.advance({ hours: 1 })

  const atOnce = await failing(started, 3)
  clock.advance({ seconds: 19.9 })
  const early = await failing(started, 1)
  clock.advance({ seconds: 0.1 })
  const inTime = await failing(started, 2)

  expect([atOnce, early, inTime]).toEqual([[2, 3], [1], []])
})

test('a probability depends on the seed: the same requests fail in each run, others with another seed', async () => {
  const when = { probability: 0.25 }
  const [first, again] = [
    await failingWhen(when, { seed: 7 }),
    await failingWhen(when, { seed: 7 }),
  ]
  const other = await failingWhen(when, { seed: 8 })

  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(7)
})

test('in sandboxes, a probability depends on the name, and not on how many were created before', async () => {
  const failingIn = async (...names: string[]) => {
    const { sandboxes } = (await start({ seed: 7 })).simulator
    const all: [string, string][] = []
    for (const name of names) {
      const sandbox = sandboxes.get(sandboxes.create({ name }).id)
      sandbox?.faults.add({ when: { probability: 0.5 }, effect: { status: 503 } })
      const statuses: unknown[] = []
      for (let count = 0; count < 12; count++) statuses.push((await sandbox?.fetch(path))?.status)
      all.push([name, String(statuses)])
    }
    return Object.fromEntries(all)
  }
  const first = await failingIn('first', 'second')

  expect(await failingIn('second', 'first')).toEqual(first)
  expect(first.first).not.toBe(first.second)
})

test('a probability restarts after a reset of the rows and after restoring a snapshot: the same requests fail', async () => {
  const started = await start()
  const { simulator } = started
  const before = simulator.snapshot()
  simulator.faults.add({ when: { probability: 0.5 }, effect: { status: 503 } })

  const first = await failing(started, 12)
  const next = await failing(started, 12)
  simulator.reset({ only: ['rows'] })
  const afterReset = await failing(started, 12)
  simulator.restore(before)
  const afterRestore = await failing(started, 12)

  expect([afterReset, afterRestore]).toEqual([first, first])
  expect(next).not.toEqual(first)
  expect(simulator.faults.list()).toMatchObject([{ matched: 48 }])
})

test('the random numbers of a rule do not depend on other rules', async () => {
  const rule: FaultRule = { when: { probability: 0.5 }, effect: { status: 503 } }
  const [alone, beside] = [await start(), await start()]
  alone.simulator.faults.add(rule)
  beside.simulator.faults.add({ operation: 'listPlugins', effect: { drop: true } })
  beside.simulator.faults.add(rule)

  expect(await failing(beside, 12)).toEqual(await failing(alone, 12))
})
