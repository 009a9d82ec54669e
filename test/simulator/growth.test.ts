import { expect, test } from 'vitest'
import { Deliveries } from '../../src/simulator/journal/journal.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'

const repeat = (count: number, act: (index: number) => unknown): void => {
  for (let index = 0; index < count; index++) act(index)
}

/** What grows by what is sent: more than its limit, and how much is kept then. */
const growing: Readonly<
  Record<string, { readonly limit: number; readonly grow: (simulator: Simulator) => number }>
> = {
  'keys that were revoked': {
    limit: 1_250,
    grow({ keys, state }) {
      repeat(1_500, () => keys.revoke(keys.issue()))
      return state.changes.formerKeys.size
    },
  },
  'changes of rows': {
    limit: 10_000,
    grow({ world, state }) {
      repeat(12_000, (index) => world.annotations.update(1, { content: String(index) }))
      return state.changes.since(0).length
    },
  },
  'refusals that verify expected': {
    limit: 12_500,
    grow({ state: { journal } }) {
      repeat(15_000, (index) => journal.askFor(index))
      return Array.from({ length: 15_000 }, (_, index) => index).filter((index) =>
        journal.isAskedFor(index),
      ).length
    },
  },
  'rules of faults that are used up': {
    limit: 1_000,
    grow({ faults }) {
      repeat(1_200, () => faults.add({ when: { times: 0 }, effect: { drop: true } }))
      return faults.list().length
    },
  },
  'responses that were sent': {
    limit: 100,
    grow() {
      const deliveries = new Deliveries({ position: 0 })
      repeat(1_000, (index) => deliveries.depart(index)())
      return deliveries.arrive(0).unsent.length
    },
  },
  'keys of sandboxes that ended': {
    limit: 1_250,
    grow({ sandboxes, state }) {
      const values: string[] = []
      repeat(300, () => {
        const { id, keys } = sandboxes.create()
        values.push(...keys.map(({ value }) => value))
        sandboxes.delete(id)
      })
      return values.filter((value) => state.wasOfSandbox(value)).length
    },
  },
}

test.each(Object.entries(growing))('what is kept has a limit: %s', (_, { limit, grow }) => {
  const kept = grow(createSimulator())

  expect(kept).toBeLessThanOrEqual(limit)
  expect(kept).toBeGreaterThanOrEqual(limit / 2)
})
