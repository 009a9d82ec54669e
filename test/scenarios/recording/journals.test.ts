import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../src/index.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, noon, pluginsPath } from '../../support/api/paths.ts'
import { recordAndReplay, summarizeSteps } from '../../support/scenarios/recordings.ts'
import { start } from '../../support/transports/start.ts'

/** A simulator, and requests to its annotations. A broken response is the end of a request, too. */
async function startRecording(options: SimulatorOptions = { clock: noon }) {
  const client = await start(options)
  const { simulator } = client
  const send = async (path: string, init: RequestInit): Promise<string> => {
    const url = new URL(path, client.origin).href
    const response = await client.exchange(url, init).catch(() => null)
    return (await response?.text().catch(() => '')) ?? ''
  }
  const get = (query = '', key = 'phx_all') =>
    send(annotationsPath + query, { headers: authorization(key) })
  return { simulator, send, get }
}

const list = `GET ${annotationsPath}`

test('a recording describes how a replay starts', async () => {
  const { simulator, get } = await startRecording({
    clock: noon,
    seed: 7,
    profile: 'live',
    settings: { 'annotations.delete.status': '404' },
  })
  await get()

  const { scenario, warnings } = simulator.record({ title: 'A list' })

  const { steps, ...head } = scenario
  expect(head).toEqual({
    $schema: './node_modules/understudy-api/scenarios/scenario.schema.json',
    format_version: 1,
    title: 'A list',
    world: 'default',
    seed: 7,
    profile: 'live',
    settings: { 'annotations.delete.status': '404' },
    clock: noon,
  })
  expect(summarizeSteps(scenario)).toEqual([list])
  expect(warnings).toEqual([])
})

test('the clock of a recording is that of its first request', async () => {
  const { simulator, get } = await startRecording()
  await get()
  simulator.clock.advance({ hours: 1 })
  await get()
  simulator.clock.tick('2025-01-01T00:00:00Z')
  await get()

  const recorded = [[1, 2, 3], [2, 3], [3], [1, 3]].map((entries) => {
    const { scenario } = simulator.record({ entries })
    return [scenario.clock, summarizeSteps(scenario)]
  })

  expect(simulator.record().scenario).not.toHaveProperty('settings')
  const ticking = { mode: 'ticking', now: expect.stringContaining('2025-01-01T00:00:0') }
  expect(recorded).toEqual([
    [noon, [list, { clock: '2024-06-15T13:00:00Z' }, list, { clock: ticking }, list]],
    ['2024-06-15T13:00:00Z', [list, { clock: ticking }, list]],
    [ticking, [list]],
    [noon, [list, { clock: ticking }, list]],
  ])
})

test.each([
  ['POST', { cut_bytes: 5 }, { broken: true }],
  ['GET', { cut_bytes: 1e6 }, { status: 200, exact_body: expect.anything() }],
  ['HEAD', { cut_bytes: 0 }, { status: 200, text: '' }],
  ['GET', { drop: true, delay_ms: 1 }, { broken: true }],
] as const)('a %s with the fault %j is expected to be %j', async (method, effect, expected) => {
  const { simulator, send } = await startRecording()
  simulator.faults.add({ effect, when: { times: 1 }, phase: 'after-commit' })
  await send(annotationsPath, { method, headers: authorization() })

  expect((await recordAndReplay(simulator)).steps).toMatchObject([
    { fault: { when: { times: 1 }, phase: 'after-commit', effect } },
    { method, expect: expected },
  ])
})

const [clock, firstBody, second] = [
  { clock: '2024-06-15T13:00:00Z' },
  { body: { name: 'First' } },
  { body: { name: 'Second' } },
]

test.each([
  ['before', [second, firstBody, {}]],
  ['after-commit', [firstBody, clock, second, {}]],
] as const)('a request that waits %s is recorded when it was carried out', async (phase, steps) => {
  const settings = { 'plugins.other.body': 'specific' } as const
  const { simulator, send } = await startRecording({ clock: noon, settings })
  const headers = { ...authorization(), 'content-type': 'application/json' }
  const create = (name: string) =>
    send(pluginsPath, { method: 'POST', headers, body: JSON.stringify({ name }) })
  simulator.faults.add({ when: { times: 1 }, phase, effect: { hold: true } })
  const first = create('First')
  await expect.poll(() => simulator.faults.list()).toMatchObject([{ waiting: [{}] }])
  simulator.clock.advance({ hours: 1 })
  await create('Second')
  simulator.faults.clear()
  await first
  // The latest of the same time comes first.
  await send(`${pluginsPath}activity/`, { headers })

  expect((await recordAndReplay(simulator)).steps).toMatchObject(steps)
})

test('requests to the URL of a sandbox, and the links of its responses, can be replayed anywhere', async () => {
  const { simulator, send } = await startRecording()
  const { id } = simulator.sandboxes.create({ clock: noon })
  const sandbox = simulator.sandboxes.get(id) as typeof simulator
  const get = (url: string) => send(url, { headers: authorization(sandbox.defaults.key) })
  const page = await get(`/__sandbox/${id}${annotationsPath}?limit=1`)
  const { next } = JSON.parse(page) as { next: string }
  await get(next)
  await get(`/__sandbox/${id}/api/elsewhere/?limit=1`)
  await simulator.fetch(`/__sandbox/${id}/nowhere/`)

  const scenario = await recordAndReplay(sandbox)

  expect(next).toContain(`/__sandbox/${id}/`)
  expect(JSON.stringify(scenario)).not.toContain('__sandbox')
  expect(summarizeSteps(scenario)).toEqual([
    `${list}?limit=1`,
    `${list}?limit=1&offset=1`,
    'GET /api/elsewhere/?limit=1',
    'GET /nowhere/',
  ])
})
