import { expect, test } from 'vitest'
import { MistakeFollower } from '../../src/mistakes/follow-mistakes.ts'
import { Deliveries } from '../../src/simulator/journal/journal.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { isLong } from '../support/long.ts'
import { initOf } from '../support/transports/client.ts'

const repeat = (count: number, act: (index: number) => unknown): void => {
  for (let index = 0; index < count; index++) act(index)
}

// Ten times each limit: LONG=1 npx vitest run --config test/vitest.config.ts test/simulator/growth
const excess = isLong ? 10 : 1.2

type Grow = (simulator: Simulator, count: number) => number | Promise<number>

/** What grows by what is sent: more than its limit, and how much is kept then. */
const growing: Readonly<Record<string, { readonly limit: number; readonly grow: Grow }>> = {
  'entries of a journal': {
    limit: 1_000,
    async grow(simulator, count) {
      while (simulator.state.journal.lastId < count) await simulator.fetch(annotationsPath)
      return simulator.journal.find({ bodies: false }).length
    },
  },
  'keys that were revoked': {
    limit: 1_250,
    grow({ keys, state }, count) {
      repeat(count, () => keys.revoke(keys.issue()))
      return state.changes.formerKeys.size
    },
  },
  'changes of rows': {
    limit: 10_000,
    grow({ world, state }, count) {
      repeat(count, (index) => world.annotations.update(1, { content: String(index) }))
      return state.changes.since(0).length
    },
  },
  'former worlds of 1 MiB': {
    limit: 16,
    grow(simulator, count) {
      const { plugins: rows = [], ...world } = simulator.world.toJSON()
      const description = 'x'.repeat(2 ** 20 / rows.length)
      const plugins = rows.map((row) => ({ ...row, description }))
      repeat(count, () => simulator.replaceWorld({ ...world, plugins }))
      return simulator.state.changes.since(0).length
    },
  },
  'refusals that verify expected': {
    limit: 12_500,
    grow({ state: { journal } }, count) {
      repeat(count, (index) => journal.askedFor.set(index, true))
      return journal.askedFor.size
    },
  },
  'rules of faults that are used up': {
    limit: 1_000,
    grow({ faults }, count) {
      repeat(count, () => faults.add({ when: { times: 0 }, effect: { drop: true } }))
      return faults.list().length
    },
  },
  'findings of a rule about clients': {
    limit: 100,
    async grow(simulator, count) {
      for (let index = 0; index < count; index++) {
        const body = { content: 'x', [`unknown${index}`]: 1 }
        await simulator.fetch(annotationsPath, initOf('POST', { body }))
      }
      return simulator.journal.mistakes().length
    },
  },
  'findings in sandboxes that ended': {
    limit: 100,
    async grow(simulator, count) {
      const mistakes = new MistakeFollower(simulator)
      for (let index = 0; index < count; index++) {
        const { id, key } = simulator.sandboxes.create()
        const body = { content: 'x', [`unknown${index}`]: 1 }
        await simulator.fetch(annotationsPath, initOf('POST', { key, body }))
        simulator.sandboxes.delete(id)
      }
      return mistakes.finish().length
    },
  },
  'responses that were sent': {
    limit: 100,
    grow(_, count) {
      const deliveries = new Deliveries({ position: 0 })
      repeat(count, (index) => deliveries.depart(index)())
      return deliveries.arrive(0).unsent.length
    },
  },
  'keys of sandboxes that ended': {
    limit: 1_250,
    grow({ sandboxes, state }, count) {
      const values: string[] = []
      while (values.length < count) {
        const { id, keys } = sandboxes.create()
        values.push(...keys.map(({ value }) => value))
        sandboxes.delete(id)
      }
      return values.filter((value) => state.wasOfSandbox(value)).length
    },
  },
}

test.each(Object.entries(growing))('what is kept has a limit: %s', async (_, { limit, grow }) => {
  const kept = await grow(createSimulator(), excess * limit)

  expect(kept).toBeLessThanOrEqual(limit)
  expect(kept).toBeGreaterThanOrEqual(limit / 2)
})
