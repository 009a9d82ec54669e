import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/index.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

const launch = initOf('POST', { body: { content: 'Launch' } })
const create = (simulator: Simulator) =>
  simulator.fetch(`${annotationsPath}?personal_api_key=phx_all`, launch)

/** A simulator with a fault that holds each create, and a create that waits. */
async function holdCreate(fault: { phase?: 'after-commit'; effect?: object } = {}) {
  const simulator = createSimulator()
  const { effect, ...rest } = fault
  const [rule] = simulator.faults.add({
    operation: 'createAnnotation',
    ...rest,
    effect: { hold: true, ...effect },
  })
  const before = simulator.world.annotations.count
  const pending = create(simulator).then(
    ({ status }) => status,
    (error) => error.message,
  )
  await expect.poll(() => simulator.faults.list()).toMatchObject([{ waiting: [{}] }])
  const added = () => simulator.world.annotations.count - before
  return { simulator, id: rule?.id as string, pending, added }
}

test('a held request is listed without its key, and carried out when its fault is removed', async () => {
  const { simulator, id, pending, added } = await holdCreate()
  const listed = simulator.faults.list()
  const before = added()

  simulator.faults.remove(id)

  expect(listed).toMatchObject([
    {
      ...{ id, matched: 1, applied: 1 },
      waiting: [{ id: 1, method: 'POST', path: annotationsPath, ms: expect.any(Number) }],
    },
  ])
  expect([before, await pending, added()]).toEqual([0, 201, 1])
  expect(simulator.journal.find()).toMatchObject([
    {
      reason: expect.stringMatching(/^201: the fault `fault-1` was applied: the request waits/),
      fault: { id, phase: 'before', effect: { hold: true } },
    },
  ])
})

test.each<
  [
    what: string,
    fault: Parameters<typeof holdCreate>[0],
    before: number,
    status: number,
    added: number,
  ]
>([
  ['goes on at once, although its fault also delays', { effect: { delay_ms: 60_000 } }, 0, 201, 1],
  ['is carried out at once after the commit', { phase: 'after-commit' }, 1, 201, 1],
  ['gets the other effect of its fault', { effect: { error: 'throttled' } }, 0, 429, 0],
])('a held request %s', async (_, fault, before, status, added) => {
  const held = await holdCreate(fault)
  const addedBefore = held.added()

  held.simulator.faults.remove(held.id)

  expect([addedBefore, await held.pending, held.added()]).toEqual([before, status, added])
})

test('a request that goes on just before a reset is not carried out', async () => {
  const { simulator, pending, added } = await holdCreate()

  simulator.faults.clear()
  simulator.reset()

  expect(await pending).not.toBe(201)
  expect(added()).toBe(0)
})

test('a request that the client gave up before it is held does not count as held', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ effect: { hold: true } })
  const client = new AbortController()

  const response = simulator.fetch(annotationsPath, { ...launch, signal: client.signal })
  client.abort()
  await response.catch(() => {})

  expect(simulator.faults.list()).toMatchObject([{ waiting: [] }])
})

test.each<[what: string, end: (simulator: Simulator) => void]>([
  ['the simulator is reset', (simulator) => simulator.reset()],
  ['its rows are reset', (simulator) => simulator.reset({ only: ['rows'] })],
  ['the faults are reset', (simulator) => simulator.reset({ only: ['faults'] })],
])('a held request is dropped when %s', async (_, end) => {
  const { simulator, pending, added } = await holdCreate()

  end(simulator)

  expect([await pending, added()]).toEqual(['Failed to fetch', 0])
})

test.each<[what: string, end: (simulator: Simulator) => void, status: number]>([
  ['go on when the faults are cleared', (simulator) => simulator.faults.clear(), 200],
  ['are dropped by a reset', (simulator) => simulator.reset(), 0],
])('all requests that two faults hold %s', async (_, end, status) => {
  const simulator = createSimulator()
  simulator.faults.add({ operation: 'listAnnotations', effect: { hold: true } })
  simulator.faults.add({ operation: 'listProjects', effect: { hold: true } })
  const paths = [annotationsPath, annotationsPath, '/api/projects/', '/api/projects/']
  const get = (path: string) =>
    simulator.fetch(path, initOf('GET', {})).catch(() => ({ status: 0 }))
  const pending = paths.map(get)
  const waiting = [{}, {}]
  await expect.poll(() => simulator.faults.list()).toMatchObject([{ waiting }, { waiting }])

  end(simulator)

  expect(await Promise.all(pending)).toMatchObject(paths.map(() => ({ status })))
})

test('a held request is dropped at the end of its sandbox', async () => {
  const { sandboxes } = createSimulator()
  const { id, keys } = sandboxes.create()
  const sandbox = sandboxes.get(id) as Simulator
  sandbox.faults.add({ effect: { hold: true } })
  const headers = { authorization: `Bearer ${keys[0]?.value}` }
  const pending = sandbox.fetch(annotationsPath, { headers }).catch(({ message }) => message)
  await expect.poll(() => sandbox.faults.list()).toMatchObject([{ waiting: [{}] }])

  sandboxes.delete(id)

  expect(await pending).toBe('Failed to fetch')
})

test('a recording has no step for a hold, and a dropped connection for one that a reset ended', async () => {
  const { simulator, pending } = await holdCreate()
  simulator.faults.clear()
  await pending
  simulator.faults.add({ effect: { hold: true } })
  const dropped = create(simulator).catch(() => {})
  await expect.poll(() => simulator.faults.list()).toMatchObject([{ waiting: [{}] }])
  simulator.reset()
  await dropped

  const { scenario } = simulator.record()

  expect(scenario.steps).toMatchObject([
    { method: 'POST', expect: { status: 201 } },
    { reset: true },
    { fault: { when: { times: 1 }, phase: 'before', effect: { drop: true } } },
    { method: 'POST', expect: { broken: true } },
  ])
  expect(await simulator.run(scenario)).toMatchObject({ passed: true })
})

test('a replay does not wait for a hold', async () => {
  const result = await createSimulator().run({
    title: 'Held',
    steps: [
      { fault: { effect: { hold: true } } },
      { as: 'all', method: 'GET', path: annotationsPath, expect: { status: 200 } },
    ],
  })

  expect(result.passed).toBe(true)
})
