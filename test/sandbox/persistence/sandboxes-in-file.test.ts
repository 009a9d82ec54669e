import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readWorld } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { newStateFile, savedLines, startWithState } from '../../support/sandboxes-file.ts'

test('a restart restores rows, keys, policies, clock, faults, actors and options of sandboxes', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id, key } = first.sandboxes.create({
    name: 'login test',
    ttl_s: 3_600,
    profile: 'live',
    clock: '2024-06-15T12:00:00Z',
    keys: { all: 'phx_chosen' },
  })
  const one = first.sandbox(id)
  one.world.annotations.create({ content: 'Mine' })
  one.world.annotations.delete(3)
  const issued = one.keys.issue({ scopes: ['annotation:read'] })
  one.policies.set({ 'annotations.delete.status': 403 })
  one.clock.advance({ hours: 1 })
  one.faults.add({
    operation: 'listAnnotations',
    when: { times: 2 },
    effect: { error: 'throttled' },
  })
  one.actors.add({
    after: { operation: 'listAnnotations', requests: 5 },
    steps: [{ create: 'annotations', row: { content: 'By another user' } }],
  })
  const list = '/api/projects/1/annotations/'
  const headers = { authorization: `Bearer ${issued}` }
  const throttled = await first.simulator.fetch(list, { headers })
  const before = {
    info: first.sandboxes.list(),
    world: one.world.toJSON(),
    policies: one.policies.settings,
    clock: one.clock.read(),
    faults: one.faults.list(),
    actors: one.actors.list(),
  }
  await first.close()

  const second = await startWithState(file)
  const again = second.sandbox(id)
  const after = {
    info: second.sandboxes.list(),
    world: again.world.toJSON(),
    policies: again.policies.settings,
    clock: again.clock.read(),
    faults: again.faults.list(),
    actors: again.actors.list(),
  }
  const statuses = [
    (await second.simulator.fetch(list, { headers })).status,
    (await second.simulator.fetch(list, { headers })).status,
  ]
  again.reset()

  expect(throttled.status).toBe(429)
  expect(after).toEqual(before)
  expect([key, second.warnings]).toEqual(['phx_chosen', []])
  expect(statuses).toEqual([429, 200])
  expect(again.world.annotations.list().map((row) => row.id)).toEqual(
    createSimulator()
      .world.annotations.list()
      .map((row) => row.id),
  )
  expect(again.clock.read()).toEqual({ mode: 'frozen', now: '2024-06-15T12:00:00Z' })
  await second.close()
})

test('a restart restores the next ids of a sandbox whose world was replaced by a smaller one', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  first.sandbox(id).replaceWorld('empty')
  const before = first.sandbox(id).world.next_ids
  await first.close()

  const second = await startWithState(file)
  const after = second.sandbox(id).world.next_ids
  const created = second.sandbox(id).world.annotations.create({ content: 'Launch' })

  expect(after).toEqual(before)
  expect(created.id).toBe(1)
})

test('a restart restores how many requests an actor has counted', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id, key } = first.sandboxes.create({ keys: { all: 'phx_chosen' } })
  first.sandbox(id).actors.add({
    after: { operation: 'listAnnotations', requests: 2 },
    steps: [{ create: 'annotations', row: { content: 'By another user' } }],
  })
  await first.save()
  const headers = { authorization: `Bearer ${key}` }
  await first.simulator.fetch('/api/projects/1/annotations/', { headers })
  await first.close()

  const second = await startWithState(file)

  expect(second.sandbox(id).actors.list()).toMatchObject([{ remaining: 1, runs: 0 }])
})

test('a save appends what changed in a sandbox, and leaves the rest', async () => {
  const file = newStateFile()
  const { simulator, sandboxes, sandbox, save, close } = await startWithState(file)
  const [one, other] = [sandboxes.create().id, sandboxes.create().id]
  await save()
  const before = savedLines(file).length

  sandbox(one).world.annotations.update(1, { content: 'Changed' })
  await save()
  await save()

  const added = savedLines(file).slice(before)
  expect(added.filter((line) => line.includes('"id":"sandbox'))).toEqual([
    expect.stringContaining('"content":"Changed"'),
  ])
  expect(added.join('')).not.toContain(`"id":"${other}"`)
  expect(added.join('').match(/"content"/g)).toHaveLength(1)
  expect(simulator.persistence?.status).toBe('saved')
  await close()
})

test('without sandboxes there is no file of them', async () => {
  const file = newStateFile()
  const { simulator, close } = await startWithState(file)

  simulator.world.annotations.create({})
  await close()

  expect(existsSync(`${file}.sandboxes`)).toBe(false)
})

test('a sandbox that ended does not come back, and its number is not used again', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const [stays, ends] = [first.sandboxes.create().id, first.sandboxes.create()]
  await first.save()
  first.sandboxes.delete(ends.id)
  await first.close()

  const second = await startWithState(file)
  const next = second.sandboxes.create()

  expect(second.sandboxes.list().map(({ id }) => id)).toEqual([stays, 'sandbox-3'])
  expect(next.key).not.toBe(ends.key)
  await second.close()
})

test('a sandbox that was not saved before a kill does not give its key to another one', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const lost = first.sandboxes.create()
  // What the process leaves that is killed now.
  const left = readFileSync(`${file}.sandboxes`)
  await first.close()
  writeFileSync(`${file}.sandboxes`, left)

  const second = await startWithState(file)
  const next = second.sandboxes.create()

  expect(second.sandboxes.get(lost.id)).toBeUndefined()
  expect([next.id, next.key === lost.key]).toEqual(['sandbox-10002', false])
  await second.close()
})

test('sandboxes of snapshots, of other sandboxes and of fixtures are restored, too', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  first.simulator.world.annotations.create({ content: 'In the snapshot' })
  first.simulator.snapshots.save('mine')
  const one = first.sandboxes.create({ from: 'mine' }).id
  first.sandbox(one).world.annotations.create({ content: 'In the first' })
  const two = first.sandboxes.create({ from: one }).id
  first.sandboxes.addFixture('odd', await readWorld('odd'))
  const three = first.sandboxes.create({ from: 'odd' }).id
  const worlds = [one, two, three].map((id) => first.sandbox(id).world.toJSON())
  await first.close()

  const second = await startWithState(file)

  expect([one, two, three].map((id) => second.sandbox(id)?.world.toJSON())).toEqual(worlds)
  await second.close()
})

test('sandboxes that were there before the file are saved', async () => {
  const file = newStateFile()
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const first = await startWithState(file, simulator)
  await first.close()

  const second = await startWithState(file)

  expect(second.sandboxes.list().map((one) => one.id)).toEqual([id])
  await second.close()
})
