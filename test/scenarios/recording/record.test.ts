import { expect, test } from 'vitest'
import { createSimulator, type RequestStep, scenarioReport } from '../../../src/index.ts'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { recordAndReplay } from '../../support/scenarios/recordings.ts'
import { start } from '../../support/transports/start.ts'

test('later steps mean the row of a recorded create, also where it gets another id', async () => {
  const { simulator, ask } = await start()
  for (const content of ['First', 'Second']) {
    const { body } = await ask('POST', annotations, { body: { content } })
    const path = `${annotations}${(body as { id: number }).id}/`
    await ask('PATCH', path, { body: { content: `${content} day` } })
    await ask('GET', `${path}?a=b`)
  }
  await ask('GET', `${annotations}?limit=2`)
  const { scenario } = simulator.record()
  const world = { ...createSimulator().world.toJSON(), next_ids: { annotations: 10 } }

  const steps = [...scenario.steps, { delete: { annotations: [9] } }]
  const result = await simulator.run({ ...scenario, steps, world })

  expect(scenarioReport(result)).toContain('8 of 8 steps passed')
  expect(result.steps.map(({ request }) => request?.url.replace(/.*annotations/, ''))).toEqual([
    '/',
    '/10/',
    '/10/?a=b',
    '/',
    '/11/',
    '/11/?a=b',
    '/?limit=2',
    undefined,
  ])
})

test("a person's address in a text of the client is no word of what the service knows of that person", async () => {
  const { simulator, ask } = await start()
  await ask('POST', annotations, { body: { content: 'Hi from ada@example.com' } })
  await ask('POST', annotations, { body: { content: 'ada@example.com' } })

  expect(JSON.stringify(await recordAndReplay(simulator))).not.toContain('ada@')
})

test('a link to the next page contains no searched e-mail address, and matches again in a replay', async () => {
  const { simulator, ask } = await start({ world: 'empty' })
  for (const content of ['One', 'Two'])
    await ask('POST', annotations, { body: { content: `${content} by grace@canary.test` } })
  await ask('GET', `${annotations}?limit=1&search=grace%40canary.test`)

  expect(JSON.stringify(await recordAndReplay(simulator))).not.toContain('grace')
})

test('changes of settings, clock and faults are recorded between the requests', async () => {
  const { simulator, ask } = await start()
  await ask('GET', `${annotations}1/`)
  simulator.settings.set({ 'annotations.delete.status': 404, 'keys.missing.status': 403 })
  simulator.clock.advance({ hours: 1 })
  await ask('DELETE', `${annotations}1/`)
  const broken = { operation: 'createAnnotation', phase: 'after-commit', effect: { drop: true } }
  simulator.faults.add(broken as never)
  await ask('POST', annotations, { body: { content: 'Launch' } }).catch(() => {})
  simulator.faults.clear()
  await ask('GET', annotations)

  const { steps } = await recordAndReplay(simulator)

  expect(steps.map(({ method, ...step }: Partial<RequestStep>) => method ?? step)).toEqual([
    'GET',
    { clock: '2024-06-15T13:00:00Z' },
    { settings: { 'annotations.delete.status': '404', 'keys.missing.status': '403' } },
    'DELETE',
    { fault: { ...broken, when: { times: 1 } } },
    'POST',
    'GET',
  ])
})

test('a recording has no more worlds than a server has room for', async () => {
  const { simulator, ask } = await start()
  simulator.state.memory.limitHeld(30_000)
  for (let count = 0; count < 20; count++) {
    await ask('GET', annotations)
    simulator.world.annotations.update(1, { content: `Launch ${count}` })
  }

  expect(() => simulator.record()).toThrow(/Name fewer entries\.$/)
  expect(simulator.record({ entries: [1, 2] }).scenario.steps.length).toBe(3)
})

test('a warning reports requests that the journal has dropped', async () => {
  const { simulator, ask } = await start({ journal: { entries: 2, body: 10_000 } })
  for (const id of [1, 2, 3]) await ask('GET', `${annotations}${id}/`)

  expect(simulator.record().warnings).toEqual([
    '1 earlier request was evicted from the journal. To keep more, set createSimulator({ journal: { entries, bytes } }).',
  ])

  await ask('POST', annotations, { body: { content: 'Launch '.repeat(2_000) } })
  expect(simulator.record({ entries: [4] }).warnings).toEqual([
    'steps[0] leaves out the request body of 14014 bytes, which was not recorded.',
  ])
})

test('an error names the invalid option', async () => {
  const { simulator } = await start()

  expect(() => simulator.record({ entries: [1.5] })).toThrow(
    'Failed to record.\n  entries[0]: expected int, got 1.5',
  )
  expect(() => simulator.record({ unknown: 1 } as never)).toThrow(
    'Failed to record.\n  unknown: unknown field. Allowed: title, entries',
  )
  expect(() => simulator.record('all' as never)).toThrow(
    'Failed to record.\n  expected object, got "all"',
  )
  expect(() => simulator.record()).toThrow('Failed to record: there is no request to record.')
})

test('a time that a form sends is expected as it was sent', async () => {
  const { simulator } = await start({ profile: 'live' })
  const body = new URLSearchParams({ content: 'Launch', date_marker: '2024-06-20T09:00:00Z' })
  const headers = { authorization: 'Bearer phx_all' }
  await simulator.fetch(annotations, { method: 'POST', headers, body })

  const { scenario, warnings } = simulator.record()

  const expected = { exact_body: { date_marker: '2024-06-20T09:00:00Z' } }
  expect(scenario.steps).toMatchObject([{ expect: expected }])
  expect(warnings).toEqual([])
})
