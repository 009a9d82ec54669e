import { expect, test } from 'vitest'
import { readStateChanges } from '../../src/sandbox/state-changes.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import type { AnnotationJson } from '../../src/world/world-json.ts'

const none = { rows: [], keys: null, policies: [], clock: null, faults: false }
const clock = '2024-06-15T12:00:00Z'

test('a new simulator does not differ from its start', async () => {
  const simulator = createSimulator({ clock, policies: { 'annotations.delete.status': 404 } })

  expect(await readStateChanges(simulator)).toEqual(none)
})

test('everything that differs from the start is listed, and a reset of each part undoes it', async () => {
  const simulator = createSimulator({ clock })
  const { world, keys, policies, faults } = simulator
  world.annotations.create({ content: 'Launch' })
  world.annotations.update(1, { content: 'Other' })
  world.annotations.delete(2)
  keys.revoke('phx_all')
  keys.issue({ value: 'phx_new' })
  policies.set({ 'annotations.delete.status': 404 })
  simulator.clock.advance({ hours: 1 })
  faults.add({ effect: { status: 503 } })

  const all = await readStateChanges(simulator)
  simulator.reset({ only: ['keys'] })
  const withoutKeys = await readStateChanges(simulator)
  simulator.reset({ only: ['rows', 'policies', 'clock', 'faults'] })

  expect(all).toEqual({
    rows: [{ list: 'annotations', added: 1, changed: 1, removed: 1 }],
    keys: { added: 1, changed: 0, removed: 1 },
    policies: [{ id: 'annotations.delete.status', setting: '404', start: '405' }],
    clock: { mode: 'frozen', now: clock },
    faults: true,
  })
  expect(withoutKeys).toEqual({ ...all, keys: null })
  expect(await readStateChanges(simulator)).toEqual(none)
})

test('rows are counted in every part of a long list', async () => {
  const { annotations = [], next_ids: _, ...others } = createSimulator().world.toJSON()
  const [row] = annotations as [AnnotationJson]
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ ...row, id: index + 1 }))
  const simulator = createSimulator({ world: { ...others, annotations: rows } })

  for (const id of [1, 2_500, 5_000]) simulator.world.annotations.update(id, { content: 'Other' })
  for (const id of [2, 2_501]) simulator.world.annotations.delete(id)
  simulator.world.annotations.create({ content: 'Launch' })

  expect((await readStateChanges(simulator)).rows).toEqual([
    { list: 'annotations', added: 1, changed: 3, removed: 2 },
  ])
})

test('a row that is changed back does not differ', async () => {
  const simulator = createSimulator({ clock })
  const { content = null } = simulator.world.annotations.get(1) ?? {}

  simulator.world.annotations.update(1, { content: 'Other' })
  simulator.world.annotations.update(1, { content })

  expect((await readStateChanges(simulator)).rows).toEqual([])
})

test('a ticking clock and the faults of the start do not differ until they are changed', async () => {
  const simulator = createSimulator({ clock: { mode: 'ticking', time: clock } })
  simulator.faults.initial = [{ preset: 'flaky' }, { effect: { drop: true } }]
  simulator.faults.reset()

  const atStart = await readStateChanges(simulator)
  simulator.clock.advance({ seconds: 1 })
  simulator.faults.clear()
  const { clock: startClock, faults } = await readStateChanges(simulator)

  expect(atStart).toEqual(none)
  expect([startClock?.mode, faults]).toEqual(['ticking', true])
})

test('the keys of a sandbox, whose values are its own, do not differ from its start', async () => {
  const { sandboxes } = createSimulator()
  const sandbox = sandboxes.get(sandboxes.create().id) as Simulator

  const atStart = await readStateChanges(sandbox)
  sandbox.replaceWorld('default')
  const replaced = await readStateChanges(sandbox)
  const [key] = sandbox.keys.list()
  sandbox.keys.revoke(key?.value ?? '')
  const revoked = await readStateChanges(sandbox)

  expect([atStart.keys, replaced.keys]).toEqual([null, null])
  expect(revoked.keys).toEqual({ added: 0, changed: 0, removed: 1 })
})
