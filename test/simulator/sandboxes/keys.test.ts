import { expect, test } from 'vitest'
import { createSimulator, UsageError } from '../../../src/index.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

const taken = (value: string) =>
  `Failed to issue a key. Nothing was changed.\n  value: the simulator or a sandbox already has a key with the value "${value}". Choose another value.`

test('keys issued in sandboxes are unique and select their sandbox', async () => {
  const { ask, simulator } = await start()
  const inner = ['a', 'b'].map(() => simulator.sandboxes.get(simulator.sandboxes.create().id))

  const keys = [simulator, ...inner].map((world) => world?.keys.issue() as string)
  for (const key of keys) await ask('POST', annotationsPath, { key, body: { content: key } })

  expect(new Set(keys).size).toBe(3)
  expect(
    [simulator, ...inner].map((world) => world?.world.annotations.list().at(-1)?.content),
  ).toEqual(keys)
})

test('a key of another world cannot be issued, nor a sandbox in one that was asked for its own', async () => {
  const { simulator } = await start()
  const sandbox = simulator.sandboxes.get(simulator.sandboxes.create().id)
  const second = simulator.sandboxes.get(simulator.sandboxes.create().id)
  const value = sandbox?.keys.issue() as string

  expect(second?.sandboxes.list()).toEqual([])
  for (const { keys } of [second, simulator] as (typeof simulator)[]) {
    expect.soft(() => keys.issue({ value })).toThrow(taken(value))
  }
  expect(() => second?.keys.issue({ value: 'phx_all' })).toThrow(taken('phx_all'))
  expect(() => second?.sandboxes.create({ from: 'sandbox-1' })).toThrow(
    'Failed to create a sandbox: a sandbox cannot contain sandboxes. Create it in the simulator: simulator.sandboxes.create({ from: id }).',
  )
  expect(() => createSimulator({ sandboxes: 0 }).sandboxes.create()).toThrow(
    'Failed to create a sandbox: the option `sandboxes` is 0. Create the simulator with a higher number.',
  )
})

test('a key that is refused does not change which one is issued next', async () => {
  const [{ simulator }, { simulator: untouched }] = [await start(), await start()]

  expect(() => simulator.keys.issue({ value: 'phx_all' })).toThrow(UsageError)
  expect(() => simulator.keys.issue({ user: 99 })).toThrow(UsageError)
  expect(() => simulator.world.add({ keys: [{}, { value: 'phx_all' }] })).toThrow(UsageError)

  expect(simulator.keys.issue()).toBe(untouched.keys.issue())
})

test('loading the world of the simulator into a sandbox does not redirect its keys', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(sandbox.id)

  inner?.replaceWorld(simulator.world.toJSON())
  const outside = await ask('POST', annotationsPath, { body: {} })
  const inside = await ask('POST', `/__sandbox/${sandbox.id}${annotationsPath}`, { body: {} })

  expect([outside.status, inside.status]).toEqual([201, 201])
  expect([simulator.world.annotations.count, inner?.world.annotations.count]).toEqual([9, 9])
  const shown = simulator.sandboxes.list()[0]?.keys.map(({ value }) => value)
  expect(shown).toEqual(sandbox.keys.map(({ value }) => value))
})

test('a key that is revoked in a sandbox is unknown until a reset restores it', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create({ keys: [{ label: 'all', value: 'phx_chosen' }] })
  const inner = simulator.sandboxes.get(sandbox.id)

  inner?.keys.revoke('phx_chosen')
  expect((await ask('GET', annotationsPath, { key: 'phx_chosen' })).status).toBe(401)
  inner?.reset()
  expect((await ask('GET', annotationsPath, { key: 'phx_chosen' })).status).toBe(200)
})

test('the keys that a sandbox issues do not depend on other sandboxes', async () => {
  const keysOfSecond = async (isFirstBusy: boolean) => {
    const { simulator } = await start()
    const [sandbox, second] = [simulator.sandboxes.create(), simulator.sandboxes.create()]
    if (isFirstBusy) simulator.sandboxes.get(sandbox.id)?.keys.issue()
    return [second.keys, simulator.sandboxes.get(second.id)?.keys.issue()]
  }

  expect(await keysOfSecond(true)).toEqual(await keysOfSecond(false))
})

test('a value that was revoked in one sandbox can be used by another', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create({ keys: [{ label: 'all', value: 'phx_chosen' }] })

  const first = simulator.sandboxes.get(sandbox.id)
  first?.keys.issue({ value: 'phx_until_reset' })
  first?.reset()
  first?.keys.revoke('phx_chosen')
  const { id } = simulator.sandboxes.create({ keys: [{ label: 'all', value: 'phx_chosen' }] })
  const second = simulator.sandboxes.get(id)
  await ask('POST', annotationsPath, { key: 'phx_chosen', body: {} })

  expect(second?.world.annotations.count).toBe(9)
  expect(second?.keys.issue({ value: 'phx_until_reset' })).toBe('phx_until_reset')
})

test('an initial key of a sandbox selects it even if the simulator loads its world', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create({ keys: [{ label: 'none', value: 'phx_chosen' }] })
  const inner = simulator.sandboxes.get(sandbox.id)
  const key = sandbox.keys[0]?.value as string

  simulator.replaceWorld(inner?.world.toJSON() ?? 'empty')
  await ask('POST', annotationsPath, { key, body: {} })

  expect([simulator.world.annotations.count, inner?.world.annotations.count]).toEqual([8, 9])
  simulator.sandboxes.delete(sandbox.id)
  await ask('POST', annotationsPath, { key, body: {} })
  expect(simulator.world.annotations.count).toBe(9)
})

test('two sandboxes with the same world have different keys', async () => {
  const { ask, simulator } = await start()
  const ids = [simulator.sandboxes.create().id, simulator.sandboxes.create().id]
  const world = {
    ...simulator.world.toJSON(),
    keys: [{ value: 'phx_shared', user: 1, scopes: ['*'] }],
  }

  const keys = ids.map((id) => {
    const sandbox = simulator.sandboxes.get(id)
    sandbox?.replaceWorld(world)
    return sandbox?.defaults.key as string
  })
  await ask('POST', '/api/projects/1/annotations/', { key: keys[1] as string, body: {} })

  expect(new Set(keys).size).toBe(2)
  const counts = ids.map((id) => simulator.sandboxes.get(id)?.world.annotations.count)
  expect(counts).toEqual([8, 9])
})
