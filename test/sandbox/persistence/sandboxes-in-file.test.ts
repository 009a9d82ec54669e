import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'
import { linesOf, newFile, start } from '../../support/saved-sandboxes.ts'

test('a restart restores rows, keys, policies, clock, faults, actors and options of sandboxes', async () => {
  const file = newFile()
  const first = await start(file)
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

  const second = await start(file)
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

test('a save appends what changed in a sandbox, and leaves the rest', async () => {
  const file = newFile()
  const { simulator, sandboxes, sandbox, save, close } = await start(file)
  const [one, other] = [sandboxes.create().id, sandboxes.create().id]
  await save()
  const before = linesOf(file).length

  sandbox(one).world.annotations.update(1, { content: 'Changed' })
  await save()
  await save()

  const added = linesOf(file).slice(before)
  expect(added.filter((line) => line.includes('"id":"sandbox'))).toEqual([
    expect.stringContaining('"content":"Changed"'),
  ])
  expect(added.join('')).not.toContain(`"id":"${other}"`)
  expect(added.join('').match(/"content"/g)).toHaveLength(1)
  expect(simulator.persistence?.status).toBe('saved')
  await close()
})

test('without sandboxes there is no file of them', async () => {
  const file = newFile()
  const { simulator, close } = await start(file)

  simulator.world.annotations.create({})
  await close()

  expect(existsSync(`${file}.sandboxes`)).toBe(false)
})

test('a sandbox that ended does not come back, and its number is not used again', async () => {
  const file = newFile()
  const first = await start(file)
  const [stays, ends] = [first.sandboxes.create().id, first.sandboxes.create()]
  await first.save()
  first.sandboxes.delete(ends.id)
  await first.close()

  const second = await start(file)
  const next = second.sandboxes.create()

  expect(second.sandboxes.list().map(({ id }) => id)).toEqual([stays, 'sandbox-3'])
  expect(next.key).not.toBe(ends.key)
  await second.close()
})

test('a sandbox that was not saved before a kill does not give its key to another one', async () => {
  const file = newFile()
  const first = await start(file)
  const lost = first.sandboxes.create()
  // What the process leaves that is killed now.
  const left = readFileSync(`${file}.sandboxes`)
  await first.close()
  writeFileSync(`${file}.sandboxes`, left)

  const second = await start(file)
  const next = second.sandboxes.create()

  expect(second.sandboxes.get(lost.id)).toBeUndefined()
  expect([next.id, next.key === lost.key]).toEqual(['sandbox-10002', false])
  await second.close()
})

test('sandboxes of snapshots, of other sandboxes and of fixtures are restored, too', async () => {
  const file = newFile()
  const first = await start(file)
  first.simulator.world.annotations.create({ content: 'In the snapshot' })
  first.simulator.snapshots.save('mine')
  const one = first.sandboxes.create({ from: 'mine' }).id
  first.sandbox(one).world.annotations.create({ content: 'In the first' })
  const two = first.sandboxes.create({ from: one }).id
  const three = first.sandboxes.create({ from: 'empty' }).id
  const worlds = [one, two, three].map((id) => first.sandbox(id).world.toJSON())
  await first.close()

  const second = await start(file)

  expect([one, two, three].map((id) => second.sandbox(id)?.world.toJSON())).toEqual(worlds)
  await second.close()
})
