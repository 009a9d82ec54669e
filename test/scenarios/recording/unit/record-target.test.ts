import { expect, onTestFinished, test, vi } from 'vitest'
import type { SimulatorOptions } from '../../../../src/index.ts'
import type { Change, Step } from '../../../../src/scenarios/format/scenario.ts'
import type { RecordedStart } from '../../../../src/scenarios/recording/capture-run.ts'
import { recordTarget } from '../../../../src/scenarios/recording/capture-run.ts'
import { createLocalTarget } from '../../../../src/scenarios/run/simulator-target.ts'
import { createHttpTarget, type Target } from '../../../../src/scenarios/run/target.ts'
import { createSimulator } from '../../../../src/simulator.ts'

const url = 'http://localhost'
const list = '/api/projects/1/annotations/'

/** Records what happens to a target. */
async function record(target: Target, redact?: readonly string[]) {
  const starts: RecordedStart[] = []
  const steps: Step[] = []
  const omitted: string[] = []
  const current: { step?: Step } = {}
  const sink = {
    add: (step: Step) => void steps.push(step),
    omit: (what: string) => void omitted.push(what),
  }
  const open = (start: RecordedStart) => {
    starts.push(start)
    return sink
  }
  const recorded = await recordTarget(target, { title: 'A run' }, open, () => current.step, redact)
  const send = (path: string, key?: string, method = 'GET', body?: string) => {
    const headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return recorded.send({
      method,
      url: `${url}${path}`,
      headers,
      ...(body !== undefined && { body }),
    })
  }
  return { target: recorded, start: starts[0], steps, omitted, current, send }
}

async function recordSimulator(options: SimulatorOptions, redact?: readonly string[]) {
  const simulator = createSimulator(options)
  return { simulator, ...(await record(await createLocalTarget(simulator, url), redact)) }
}

const frozen = '2024-06-15T12:00:00Z'

/** Sets the time of the machine until the test ends. */
function setDate(time: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })
  onTestFinished(() => void vi.useRealTimers())
}

/** Requests by their methods, and changes as they are. */
const summarize = (steps: readonly Step[]) =>
  steps.map((step) => ('method' in step ? step.method : step))

test('a recording starts with the world, the policies and the clock of its target', async () => {
  const { start, simulator, steps } = await recordSimulator({
    profile: 'live',
    policies: { 'annotations.delete.status': '404' },
    clock: frozen,
  })

  const { world, ...head } = start ?? {}
  expect(head).toEqual({
    title: 'A run',
    profile: 'live',
    policies: { 'annotations.delete.status': '404' },
    clock: frozen,
  })
  expect(JSON.parse([...(world ?? [])].join(''))).toEqual(simulator.world.toJSON())
  expect(steps).toEqual([])
})

test('requests become steps with their exact responses, and the titles of the steps that sent them', async () => {
  const { target, send, steps, current, omitted } = await recordSimulator({ clock: frozen })
  const key = target.key('all') as string

  current.step = { title: 'A key', method: 'GET', path: list }
  const { text } = await send(`${list}?limit=1`, key)
  current.step = { method: 'GET', path: list }
  await send('/api/nothing/')

  expect(steps).toEqual([
    {
      title: 'A key',
      as: 'all',
      method: 'GET',
      path: `${list}?limit=1`,
      expect: expect.objectContaining({ status: 200 }),
    },
    expect.objectContaining({ method: 'GET', path: '/api/nothing/' }),
  ])
  expect(JSON.stringify(steps[0])).toContain(JSON.parse(text).results[0].content)
  expect(steps[1]).not.toHaveProperty('title')
  expect(omitted).toEqual([])
})

test('changes become steps, and their values stay literal', async () => {
  const { target, steps, simulator, current } = await recordSimulator({ clock: frozen })
  current.step = { title: 'By hand', reset: true }

  const fault = { effect: { status: 503, body: { $match: 'id' } } }
  const added = await target.change({ rows: { annotations: [{ content: 'In {braces}' }] } })
  await target.change({ world: { ...simulator.world.toJSON(), annotations: [] } })
  await target.change({ clock: '2024-06-15T13:00:00Z' })
  await target.change({ fault })

  expect(added).toEqual({ annotations: [expect.any(Number)] })
  expect(steps[0]).toEqual({
    title: 'By hand',
    rows: { annotations: [{ content: 'In {braces}' }] },
  })
  expect(steps[1]).toMatchObject({ title: 'By hand', world: { annotations: [] } })
  expect(steps[2]).toEqual({ title: 'By hand', clock: '2024-06-15T13:00:00Z' })
  expect(steps[3]).toEqual({
    title: 'By hand',
    fault: { effect: { status: 503, body: { $literal: { $match: 'id' } } } },
  })
  expect(steps).toHaveLength(4)
})

test('a clock that runs is set before each step, and follows the changes of the clock', async () => {
  setDate('2024-01-01T00:00:00Z')
  const { start, target, send, steps, simulator } = await recordSimulator({})

  await send(list)
  vi.setSystemTime('2024-01-01T01:00:00Z')
  await target.change({ reset: ['rows'] })
  await target.change({ clock: frozen })
  await send(list)
  await target.change({ clock: 'real' })
  vi.setSystemTime('2024-01-01T02:00:00Z')
  await send(list)

  expect(start?.clock).toBe('2024-01-01T00:00:00Z')
  expect(summarize(steps)).toEqual([
    { clock: '2024-01-01T00:00:00Z' },
    'GET',
    { clock: '2024-01-01T01:00:00Z' },
    { reset: ['rows'] },
    { clock: frozen },
    'GET',
    { clock: 'real' },
    { clock: '2024-01-01T02:00:00Z' },
    'GET',
  ])
  expect(simulator.clock.read()).toEqual({ mode: 'frozen', now: '2024-01-01T02:00:00Z' })
})

test('a ticking clock goes on from its time, and moves with an advance', async () => {
  setDate('2024-01-01T00:00:00Z')
  const { target, send, steps } = await recordSimulator({
    clock: { mode: 'ticking', time: frozen },
  })

  vi.setSystemTime('2024-01-01T00:30:00Z')
  await target.change({ advance: { hours: 2 } })
  await send(list)
  await target.change({ clock: { mode: 'ticking', time: '2025-01-01T00:00:00Z' } })
  vi.setSystemTime('2024-01-01T00:31:00Z')
  await send(list)

  expect(summarize(steps)).toEqual([
    { advance: { hours: 2 } },
    { clock: '2024-06-15T14:30:00Z' },
    'GET',
    { clock: { mode: 'ticking', time: '2025-01-01T00:00:00Z' } },
    { clock: '2025-01-01T00:01:00Z' },
    'GET',
  ])
})

test('a target that does not show its world is recorded without one', async () => {
  const response = { status: 0, headers: new Headers(), text: '', broken: true }
  const changes: Change[] = []
  const { start, send, steps, target } = await record({
    ...createHttpTarget(url, { key: 'phx_mine' }),
    send: async () => response,
    change: async (change) => {
      changes.push(change)
      return {}
    },
  })

  await send(list)
  await target.change({ clock: frozen })
  await target.change({ advance: { hours: 2 } })

  expect(start).toEqual({ title: 'A run', world: null })
  expect(steps).toEqual([
    { method: 'GET', path: list, expect: { broken: true } },
    { clock: frozen },
    { advance: { hours: 2 } },
  ])
  expect(changes).toHaveLength(2)
})

test('the key of a target without a world is hidden in a response that repeats it', async () => {
  const text = 'No row for phx_mine_1'
  const response = { status: 404, headers: new Headers(), text, broken: false }
  const target = {
    ...createHttpTarget(url, { keys: { all: 'phx_mine_1' } }),
    send: async () => response,
  }
  const { send, steps, target: recorded } = await record(target)
  recorded.key('all')

  await send(list, 'phx_mine_1')

  expect(steps).toEqual([
    {
      as: 'all',
      method: 'GET',
      path: list,
      expect: { status: 404, text: 'No row for phx_1_____' },
    },
  ])
})
