import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { reloadWorld } from '../../../src/sandbox/reload-world.ts'
import { createSimulator } from '../../../src/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'

const world = defaultWorld as unknown as WorldJson
const [first, second, third] = world.annotations ?? []

/** The next version of the world, with other rows in some lists. */
function nextVersion(rows: object): WorldJson {
  return { ...world, ...rows }
}

test('the rows of the new version replace all rows, and the differences are counted', () => {
  const simulator = createSimulator({ world })

  const reloaded = reloadWorld(
    simulator,
    nextVersion({
      annotations: [{ ...first, content: 'Changed' }, second, { ...third, id: 50 }],
    }),
  )

  const { annotations } = simulator.world
  expect(reloaded).toEqual({
    added: { annotations: 1 },
    changed: { annotations: 1 },
    removed: { annotations: 6 },
    discarded: [],
  })
  expect(annotations.list().map(({ id, content }) => [id, content])).toEqual([
    [first?.id, 'Changed'],
    [second?.id, second?.content],
    [50, third?.content],
  ])
  expect(annotations.create().id).toBe(51)
})

test('written rows are discarded and reported: created, changed and deleted ones', () => {
  const simulator = createSimulator({ world })
  const { annotations } = simulator.world
  annotations.update(1, { content: 'Mine' })
  annotations.delete(2)
  const { id } = annotations.create({ content: 'New' })

  const reloaded = reloadWorld(
    simulator,
    nextVersion({ annotations: [{ ...first, content: 'Theirs' }, second, third] }),
  )

  expect(reloaded).toEqual({
    added: {},
    changed: { annotations: 1 },
    removed: { annotations: 5 },
    discarded: [
      { list: 'annotations', id: 1 },
      { list: 'annotations', id },
      { list: 'annotations', id: 2 },
    ],
  })
  expect(annotations.list().map(({ content }) => content)).toEqual([
    'Theirs',
    second?.content,
    third?.content,
  ])
})

test('a written row that equals the new version is not discarded', () => {
  const simulator = createSimulator({ world })
  const { updated_at } = simulator.world.annotations.update(1, { content: 'Same' })

  const { changed, discarded } = reloadWorld(
    simulator,
    nextVersion({ annotations: [{ ...first, content: 'Same', updated_at }, second] }),
  )

  expect([changed, discarded]).toEqual([{ annotations: 1 }, []])
})

test('rows written after a reload are compared with the reloaded version', () => {
  const simulator = createSimulator({ world })
  reloadWorld(simulator, nextVersion({ annotations: [first, second] }))
  simulator.world.annotations.update(2, { content: 'Mine' })

  const reloaded = reloadWorld(simulator, nextVersion({ annotations: [second, third] }))

  expect(reloaded).toEqual({
    added: { annotations: 1 },
    changed: {},
    removed: { annotations: 1 },
    discarded: [{ list: 'annotations', id: 2 }],
  })
})

test('the new version is the beginning: reset restores it, and why names it', () => {
  const simulator = createSimulator({ world })

  reloadWorld(simulator, nextVersion({ annotations: [{ ...first, content: 'Changed' }] }))
  const why = simulator.why('annotations', 1)
  simulator.world.annotations.create({ content: 'New' })
  simulator.reset()

  expect(why?.fields.find(({ field }) => field === 'content')?.since).toBe('initial')
  expect(simulator.world.annotations.list().map(({ content }) => content)).toEqual(['Changed'])
})

test('policies, the clock and sandboxes stay', () => {
  const simulator = createSimulator({ world, profile: 'live', clock: '2024-06-15T12:00:00Z' })
  const { id } = simulator.sandboxes.create()
  const { settings } = simulator.policies

  reloadWorld(simulator, nextVersion({ annotations: [] }))

  expect(simulator.policies.settings).toEqual(settings)
  expect(simulator.clock.iso()).toBe('2024-06-15T12:00:00Z')
  expect(simulator.sandboxes.get(id)?.world.annotations.count).toBe(8)
})

test('discarded keys are reported by label, not by value', () => {
  const simulator = createSimulator({ world })
  simulator.keys.revoke('phx_all')
  simulator.keys.issue({ label: 'mine' })
  simulator.keys.issue()

  const { discarded } = reloadWorld(simulator, world)

  expect(discarded).toEqual([
    { list: 'keys', id: 'mine' },
    { list: 'keys', id: '(no label)' },
    { list: 'keys', id: 'all' },
  ])
})
