import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { LimitError } from '../../../src/utils/errors.ts'

const drop = { effect: { drop: true } } as const

test('ids are counted, and not used again', () => {
  const { faults } = createSimulator()
  const ids = () => faults.list().map(({ id }) => id)

  const added = [...faults.add(drop), ...faults.add({ preset: 'flaky' }), ...faults.add(drop)]
  const listed = ids()
  const removed = ['fault-3', 'fault-3', 'fault-9'].map((id) => faults.remove(id))
  const left = ids()
  faults.clear()
  const cleared = ids()
  faults.add(drop)

  expect(added.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `fault-${number}`))
  expect(listed).toEqual([6, 2, 3, 4, 5, 1].map((number) => `fault-${number}`))
  expect([removed, left]).toEqual([
    [true, false, false],
    ['fault-6', 'fault-2', 'fault-4', 'fault-5', 'fault-1'],
  ])
  expect([cleared, ids()]).toEqual([[], ['fault-7']])
})

test('a thousand rules can be added, one by one or as a preset', () => {
  const { faults } = createSimulator()
  for (let count = 0; count < 996; count++) faults.add(drop)

  faults.add({ preset: 'flaky' })

  const message =
    'Failed to add a fault: there can be at most 1000 rules. Remove some, or clear them all.'
  expect(() => faults.add(drop)).toThrow(new LimitError(message))
  faults.remove('fault-1')
  expect(() => faults.add({ preset: 'flaky' })).toThrow(LimitError)
  faults.add(drop)
  expect(faults.list()).toHaveLength(1_000)
})

test('rules that are used up make room for others, the oldest first', async () => {
  const simulator = createSimulator()
  const { faults } = simulator
  for (let count = 0; count < 1_000; count++) faults.add({ when: { times: 1 }, ...drop })
  for (let count = 0; count < 3; count++) await simulator.fetch('/api/projects/').catch(() => {})

  faults.add(drop)

  const ids = faults.list().map(({ id }) => id)
  expect(ids).toHaveLength(1_000)
  expect([ids.includes('fault-998'), ids.includes('fault-999')]).toEqual([false, true])
  expect(() => faults.add({ preset: 'flaky' })).toThrow(LimitError)
})

test('a reset adds the initial rules as new ones', () => {
  const { faults } = createSimulator()
  faults.add(drop)
  faults.addInitial([{ preset: 'outage' }, { key: 'unknown', ...drop }])

  faults.reset()

  expect(faults.list()).toMatchObject([
    { id: 'fault-5', key: 'unknown', preset: null },
    { id: 'fault-4', preset: 'outage' },
  ])
})
