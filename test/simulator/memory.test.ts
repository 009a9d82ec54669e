import { expect, test } from 'vitest'
import type { FaultEffect, WorldJson } from '../../src/index.ts'
import { LiveMistakes, MistakeFollower } from '../../src/mistakes/follow-mistakes.ts'
import { Memory } from '../../src/simulator/journal/changes.ts'
import type { SandboxInfo } from '../../src/simulator/sandboxes/sandboxes.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { annotationsPath, pluginsPath } from '../support/api/paths.ts'
import { usedBytes } from '../support/collect-garbage.ts'
import { initOf } from '../support/transports/client.ts'
import { serve } from '../support/transports/start.ts'

test('all worlds share one budget: the one without a request for longest gives up its oldest entries', async () => {
  const simulator = createSimulator()
  simulator.state.memory.limit = 2 ** 22
  const mistakes = new LiveMistakes(simulator, () => {})
  const sandboxes = Array.from({ length: 6 }, () => simulator.sandboxes.create())
  const journals = sandboxes.map(({ id }) => simulator.sandboxes.get(id)?.journal)

  for (const { key } of sandboxes)
    for (let sent = 0; sent < 17; sent++) {
      const body = { content: String(sent), more: 'x'.repeat(60_000) }
      await simulator.fetch(annotationsPath, initOf('POST', { key, body }))
    }
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

const description = 'x'.repeat(100_000)

/** In memory they take twenty times their text, which has 15 kB and 60 kB. */
const [small, dense] = [5_000, 20_000].map((length) => Array(length).fill({}))

test('a server without room for further rows refuses writes like a full disk, and nothing else', async () => {
  const { ask, admin, simulator } = await serve()
  simulator.state.memory.limitHeld(250_000)
  const { key } = simulator.sandboxes.create()
  const create = () => ask('POST', pluginsPath, { body: { name: 'Large', description } })

  const created = [await create(), await create(), await create(), await create()]
  const inSandbox = await ask('POST', annotationsPath, { key, body: {} })
  const read = await ask('GET', annotationsPath)
  const [entry] = simulator.journal.find({ status: '5xx' })
  const rows = await admin('PATCH', '/__admin/world', { body: { annotations: [{}] } })
  await admin('POST', '/__admin/reset')
  const afterReset = await create()

  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 507])
  expect(created[3]?.body).toEqual({
    type: 'server_error',
    code: 'error',
    detail:
      'Rows and rules of faults take all the memory that they may have. Reset a world, or delete rows, rules or sandboxes.',
    attr: null,
  })
  expect([inSandbox.status, read.status, afterReset.status]).toEqual([507, 200, 201])
  expect(entry?.reason).toMatch(/^507: Rows and rules of faults/)
  expect(rows).toEqual(created[3])
})

test('rules of faults take room, in all worlds together, until they are removed', async () => {
  const { admin, simulator } = await serve()
  simulator.state.memory.limitHeld(500_000)
  const { url } = (await admin('POST', '/__admin/sandboxes')).body as SandboxInfo
  const inner = `${new URL(url).pathname}/__admin/faults`
  const body = { effect: { status: 503, body: description } }

  const added = [
    await admin('POST', inner, { body }),
    await admin('POST', '/__admin/faults', { body }),
    await admin('POST', '/__admin/faults', { body }),
    await admin('POST', inner, { body }),
    await admin('POST', '/__admin/sandboxes'),
  ]
  await admin('DELETE', '/__admin/faults')
  const afterClear = await admin('POST', inner, { body })
  await admin('DELETE', '/__admin/sandboxes/sandbox-1')
  const afterEnd = [1, 2, 3].map(() => admin('POST', '/__admin/faults', { body }))
  const afterEndStatuses = (await Promise.all(afterEnd)).map(({ status }) => status)
  await admin('DELETE', '/__admin/faults')

  const addDense = () =>
    admin('POST', '/__admin/faults', { body: { effect: { status: 503, body: small } } })
  const ofDense = [await addDense(), await addDense(), await addDense()]

  expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 507, 507])
  expect(ofDense.map(({ status }) => status)).toEqual([200, 200, 507])
  expect(afterClear.status).toBe(200)
  expect(afterEndStatuses).toEqual([200, 200, 200])
})

test('whole worlds of sandboxes take room until these end, and that of the server can be replaced', async () => {
  const { admin, simulator } = await serve()
  simulator.state.memory.limitHeld(1_000)
  const body = simulator.world.toJSON()
  const put = async (base = '') => (await admin('PUT', `${base}/__admin/world`, { body })).status
  const [first, second] = [1, 2].map(() => new URL(simulator.sandboxes.create().url).pathname)

  const statuses = [await put(first), await put(first), await put(second), await put()]
  await admin('DELETE', '/__admin/sandboxes/sandbox-1')

  expect([...statuses, await put(second)]).toEqual([200, 507, 507, 200, 200])
})

test.each<[rows: string, round: (simulator: Simulator, world: WorldJson) => unknown]>([
  [
    'the world of the server, which is then replaced',
    (simulator, world) => simulator.replaceWorld(world),
  ],
  [
    'rows that the server had until a reset',
    ({ world, sandboxes }, { plugins = [] }) => {
      world.add({ plugins: plugins.map((row) => ({ ...row, id: undefined })) })
      sandboxes.create({ from: 'current' })
    },
  ],
  [
    'a world of their own, whose rows become short',
    ({ sandboxes }, world) => {
      const inner = sandboxes.get(sandboxes.create().id)
      inner?.replaceWorld(world)
      for (const { id } of world.plugins ?? []) inner?.world.plugins.update(id, { description: '' })
    },
  ],
])('sandboxes take room for %s', (_, round) => {
  const simulator = createSimulator()
  const { state, sandboxes } = simulator
  const { plugins = [], ...rest } = simulator.world.toJSON()
  const world = { ...rest, plugins: plugins.map((row) => ({ ...row, description })) }
  state.memory.limitHeld(2_500_000)

  while (!state.isFull && sandboxes.count < 30) {
    round(simulator, world)
    sandboxes.create()
    simulator.reset()
  }

  expect(sandboxes.count).toBeLessThan(20)
  for (const { id } of sandboxes.list()) sandboxes.delete(id)
  expect(state.isFull).toBe(false)
})

test('requests that wait for the rules about clients take little memory, in all worlds together', async () => {
  const simulator = createSimulator()
  simulator.state.memory.limit = 2 ** 22
  const mistakes = new MistakeFollower(simulator)
  const before = usedBytes()

  for (let world = 0; world < 9; world++) {
    const { key } = simulator.sandboxes.create()
    for (let sent = 0; sent < 50; sent++) {
      const raw = `${sent}${'x'.repeat(24_000)}`
      await simulator.fetch(annotationsPath, initOf('POST', { key, raw }))
    }
  }

  // Their bodies have 11 MB, of which journals keep 4 MiB.
  await expect.poll(usedBytes, { interval: 100 }).toBeLessThan(before + 8_000_000)
  mistakes.finish()
})

test('rows that a reset replaced are not kept for long by what is known of requests to them', async () => {
  const simulator = createSimulator({ journal: { body: 10_000 } })
  simulator.state.memory.limit = 2 ** 20
  const mistakes = new MistakeFollower(simulator)
  const before = usedBytes()

  for (let round = 0; round < 20; round++) {
    for (let count = 0; count < 20; count++) {
      const body = { name: `${count}`, description: `${round} ${count} ${description.slice(2e4)}` }
      await simulator.fetch(pluginsPath, initOf('POST', { body }))
    }
    await simulator.fetch(pluginsPath, initOf('GET', {}))
    simulator.reset()
  }

  // The rows of all rounds have 32 MB.
  await expect.poll(usedBytes, { interval: 100 }).toBeLessThan(before + 15_000_000)
  mistakes.finish()
})

test.each<[what: string, effect: FaultEffect]>([
  ['that a fault delays', { delay_ms: 600_000 }],
  ['that the rules about clients saw', { delay_ms: 0 }],
])('requests with many small values %s take little memory', async (_, effect) => {
  const simulator = createSimulator()
  simulator.state.memory.limit = 2 ** 22
  const mistakes = new MistakeFollower(simulator)
  simulator.faults.add({ effect })
  const before = usedBytes()

  for (let sent = 1; sent <= 40; sent++) {
    void simulator.fetch(annotationsPath, initOf('POST', { body: { x: dense } }))
    await expect.poll(() => simulator.state.journal.lastId, { interval: 1 }).toBe(sent)
  }

  // Their values have 51 MB.
  await expect.poll(usedBytes, { interval: 100 }).toBeLessThan(before + 20_000_000)
  mistakes.finish()
})
