import { expect, test } from 'vitest'
import { LiveMistakes } from '../../src/mistakes/follow-mistakes.ts'
import { Memory } from '../../src/simulator/journal/changes.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'

/** Sends requests whose entries have 900 KB each. */
async function fill(simulator: Simulator, key: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const body = { content: String(sent), more: 'x'.repeat(900_000) }
    await simulator.fetch(annotationsPath, initOf('POST', { key, body }))
  }
}

test('all worlds share one budget: the one without a request for longest gives up its oldest entries', async () => {
  const simulator = createSimulator({ journal: { body: 2 ** 20 } })
  const mistakes = new LiveMistakes(simulator, () => {})
  const sandboxes = Array.from({ length: 6 }, () => simulator.sandboxes.create())
  const journals = sandboxes.map(({ id }) => simulator.sandboxes.get(id)?.journal)

  for (const { key } of sandboxes) await fill(simulator, key, 17)
  const counts = journals.map((journal) => journal?.find({ bodies: false }).length)
  const changed = sandboxes.map(({ id }) => simulator.sandboxes.get(id)?.world.annotations.count)
  mistakes.finish()

  expect(counts[0]).toBe(0)
  expect(counts.at(-1)).toBe(17)
  expect(counts).toEqual(counts.toSorted((a = 0, b = 0) => a - b))
  expect(changed).toEqual(sandboxes.map(() => 25))
})

test('a world that ends gives its room to others, and one without entries gives up nothing', () => {
  const memory = new Memory(0)
  let asked = 0
  const giveUp = () => {
    asked += 1
    return false
  }
  const open = () => {
    const world = {}
    return { world, take: memory.register(world, { giveUp }) }
  }

  for (let count = 0; count < 3; count++) {
    const { world, take } = open()
    take(60 * 2 ** 20)
    memory.leave(world)
    take(60 * 2 ** 20)
  }
  expect(asked).toBe(0)
  open().take(60 * 2 ** 20)
  open().take(60 * 2 ** 20)
  expect(asked).toBe(2)
})
