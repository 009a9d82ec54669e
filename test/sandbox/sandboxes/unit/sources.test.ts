import { expect, test, vi } from 'vitest'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { noon } from '../../../support/api/paths.ts'

const count = (simulator: Simulator | undefined) => simulator?.world.annotations.count

/** A simulator with a fixture `none` without annotations, a snapshot `nine` and a sandbox with ten. */
function createSources() {
  const simulator = createSimulator({ clock: noon })
  const { sandboxes, snapshots, world } = simulator
  sandboxes.addFixture('none', { ...world.toJSON(), annotations: [] } as unknown as WorldJson)
  world.annotations.create()
  snapshots.save('nine')
  const { id } = sandboxes.create({ from: 'nine' })
  sandboxes.get(id)?.world.annotations.create()
  return { simulator, sandboxes, snapshots, id }
}

test('a name selects a snapshot, then a sandbox, then a fixture', () => {
  const { simulator, sandboxes, snapshots, id } = createSources()
  const countFrom = (from?: string) =>
    count(sandboxes.get(sandboxes.create(from === undefined ? {} : { from }).id))
  const first = ['none', 'nine', id, 'empty', undefined].map(countFrom)

  sandboxes.addFixture('nine', simulator.world.toJSON())
  sandboxes.addFixture(id, simulator.world.toJSON())
  const beside = ['nine', id].map(countFrom)
  simulator.world.annotations.create()
  snapshots.save(id)

  expect(first).toEqual([0, 9, 10, 0, 8])
  expect(beside).toEqual([9, 10])
  expect(countFrom(id)).toBe(10)
  expect(count(simulator)).toBe(10)
})

test('a fixture can be replaced, and is loaded before it is', () => {
  const { simulator, sandboxes } = createSources()
  const add = () => sandboxes.addFixture('none', { annotations: 5 } as never)

  expect(add).toThrow(UsageError)
  expect(sandboxes.loadSource('none').tables.annotations.size).toBe(0)
  sandboxes.addFixture('none', simulator.world.toJSON())
  expect(sandboxes.loadSource('none').tables.annotations.size).toBe(9)
})

test('snapshots, sandboxes and fixtures in use are sources, until they are deleted', () => {
  const { sandboxes, snapshots, id } = createSources()
  const names = ['none', 'nine', id, 'empty', 'unknown']
  const known = () => names.filter((name) => sandboxes.hasSource(name))
  const before = known()

  sandboxes.create({ from: 'empty' })
  const used = known()
  sandboxes.delete(id)
  snapshots.delete('nine')

  expect(before).toEqual(['none', 'nine', id])
  expect(used).toEqual(['none', 'nine', id, 'empty'])
  expect(known()).toEqual(['none', 'empty'])
})

test('an unknown source is rejected with all names', () => {
  const { sandboxes } = createSources()
  sandboxes.create({ from: 'empty' })
  const names = '("default", "empty", "none", "nine", "sandbox-1", "sandbox-2")'
  const expected = `expected the name of a fixture, a snapshot or a sandbox ${names}`

  expect(() => sandboxes.loadSource('nin')).toThrow(
    `Failed to replay the scenario: ${expected}, got "nin". Did you mean nine?`,
  )
  expect(() => sandboxes.create({ from: 'zzz' })).toThrow(
    `Failed to create a sandbox: ${expected}, got "zzz".`,
  )
})

test('the rows of a source are copied', () => {
  const { sandboxes, snapshots, simulator } = createSources()
  const sources = ['none', 'nine'].map((from) => sandboxes.create({ from }).id)

  for (const id of sources) sandboxes.get(id)?.world.annotations.create()
  const again = ['none', 'nine'].map((from) => count(sandboxes.get(sandboxes.create({ from }).id)))
  snapshots.restore('nine')

  expect(again).toEqual([0, 9])
  expect(count(simulator)).toBe(9)
})

test('listeners hear of each new sandbox until they are removed', () => {
  const { simulator, sandboxes } = createSources()
  const listeners = [vi.fn(), vi.fn()] as const
  const [stop] = listeners.map((listener) => sandboxes.follow(listener))

  const one = sandboxes.create()
  stop?.()
  const two = sandboxes.create()

  const received = listeners.map(({ mock }) => mock.calls)
  expect(received).toEqual([
    [[one.id, expect.anything()]],
    [
      [one.id, expect.anything()],
      [two.id, expect.anything()],
    ],
  ])
  expect(received[1]?.map(([, opened]) => opened)).toEqual(
    [one, two].map(({ id }) => simulator.sandboxes.get(id)),
  )
})
