import { expect, onTestFinished, test } from 'vitest'
import type { SimulatorOptions } from '../../../../src/index.ts'
import type { Scenario, Step } from '../../../../src/scenarios/format/scenario.ts'
import { type ControlCall, RunRecorder } from '../../../../src/scenarios/recording/capture-run.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { jsonHeaders } from '../../../support/api/headers.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'

/** Records a simulator. `call` passes a call of the control API to the recorder, as the server does after its effect. */
function startRecorder(options: SimulatorOptions = { clock: noon }) {
  const simulator = createSimulator(options)
  const world = simulator.world.toJSON()
  const steps: Step[] = []
  const omitted: string[] = []
  const recorder = new RunRecorder(simulator, {
    add: (step) => void steps.push(step),
    omit: (what) => void omitted.push(what),
  })
  onTestFinished(() => recorder.stop())
  const send = (method: string, body?: string | Uint8Array<ArrayBuffer>, key = 'phx_all') =>
    simulator.fetch(annotationsPath, {
      method,
      headers: jsonHeaders(key),
      ...(body !== undefined && { body }),
    })
  const call = (operation: string, { params = {}, body }: Partial<ControlCall> = {}) =>
    recorder.addControlCall({ operation, params, body, simulator })
  const scenario = (): Scenario => ({ title: 'A run', world, clock: noon, steps })
  return { simulator, recorder, steps, omitted, send, call, scenario }
}

test.each([
  ['http://api.example.com:8080', { host: 'api.example.com:8080' }],
  ['http://[::1]:8080', { host: '[::1]:8080' }],
  ['http://localhost', { host: 'not/a host' }],
  ['http://localhost', {}],
])('URLs of the API that begin with %s stay URLs of the API with %j', async (baseUrl, host) => {
  const { simulator, steps } = startRecorder({ clock: noon, baseUrl })

  await simulator.fetch(`${annotationsPath}?limit=1`, { headers: { ...jsonHeaders(), ...host } })

  expect(steps).toMatchObject([
    {
      path: `${annotationsPath}?limit=1`,
      expect: { text: { $text: expect.stringContaining('"next":"{base_url}/api/') } },
    },
  ])
})

test('of several keys with one label, the value is sent', async () => {
  const keys = ['phx_first', 'phx_second'].map((value) => ({ label: 'same', value }))
  const { simulator, send, steps, call } = startRecorder()

  simulator.addRows({ keys })
  call('addRows', { body: { keys } })
  for (const { value } of keys) await send('GET', undefined, value)

  expect(steps.map((step) => ('as' in step ? step.as : null))).toEqual([null, null, null])
  expect(steps[1]).toMatchObject({ headers: { authorization: 'Bearer phx_first' } })
  expect(steps[2]).toMatchObject({ headers: { authorization: 'Bearer phx_second' } })
})

test('a broken connection is recorded, also if it breaks within the body', async () => {
  const { simulator, send, steps } = startRecorder()

  for (const effect of [{ cut_bytes: 5 }, { drop: true }] as const) {
    simulator.faults.add({ effect, when: { times: 1 } })
    const response = await send('GET').catch(() => null)
    await response?.text().catch(() => null)
  }

  expect(steps.map((step) => 'expect' in step && step.expect)).toEqual([
    { broken: true },
    { broken: true },
  ])
})

test('bodies that the journal cannot store are named', async () => {
  const { simulator, send, steps, omitted } = startRecorder({
    clock: noon,
    journal: { bytes: 4_000 },
    policies: { 'limits.body': 100 },
  })
  const headers = { ...jsonHeaders(), 'content-length': '2000' }

  await send('GET')
  await simulator.fetch(annotationsPath, { method: 'POST', headers, body: 'x'.repeat(2000) })

  expect(steps).toMatchObject([{ method: 'GET', expect: { status: 200 } }])
  expect(omitted).toEqual([
    expect.stringMatching(/^the response body of \d+ bytes, which was not recorded$/),
    `POST http://localhost${annotationsPath} (its body was not recorded)`,
  ])
})

test('a frozen clock that moves becomes a step before the next one', async () => {
  const { simulator, send, steps, call } = startRecorder()

  await send('GET')
  simulator.clock.advance({ hours: 1 })
  call('advanceClock', { body: { hours: 1 } })
  await send('GET')
  await send('GET')
  simulator.clock.set('2024-06-15T14:00:00Z')
  simulator.policies.set({ 'annotations.delete.status': '404' })
  call('setPolicies', { body: { 'annotations.delete.status': '404' } })

  expect(steps.map((step) => ('method' in step ? step.method : step))).toEqual([
    'GET',
    { clock: '2024-06-15T13:00:00Z' },
    'GET',
    'GET',
    { clock: '2024-06-15T14:00:00Z' },
    { policies: { 'annotations.delete.status': '404' } },
  ])
})

test('rows, and the values of keys that the server chose', async () => {
  const { simulator, send, steps, call, scenario } = startRecorder()
  const rows = {
    annotations: [{ content: 'By hand' }],
    keys: [{ label: 'first' }, { label: 'second' }],
  }

  const { keys = [] } = simulator.addRows(rows)
  call('addRows', { body: rows })
  await send('GET', undefined, String(keys[1]))
  const value = simulator.keys.issue({ scopes: ['annotation:read'] })
  call('issueKey', { body: { scopes: ['annotation:read'] } })
  const other = simulator.keys.issue()
  call('issueKey')
  await send('GET', undefined, value)
  simulator.keys.revoke(value)
  call('revokeKey', { params: { value } })
  await send('GET', undefined, value)
  simulator.addRows({ annotations: [{ content: 'More' }] })
  call('addRows', { body: { annotations: [{ content: 'More' }] } })

  expect(steps[0]).toEqual({
    rows: {
      annotations: [{ content: 'By hand' }],
      keys: [
        { label: 'first', value: keys[0] },
        { label: 'second', value: keys[1] },
      ],
    },
  })
  expect(steps[2]).toEqual({ rows: { keys: [{ scopes: ['annotation:read'], value }] } })
  expect(steps[3]).toEqual({ rows: { keys: [{ value: other }] } })
  expect(steps.at(-1)).toEqual({ rows: { annotations: [{ content: 'More' }] } })
  const { steps: results, passed } = await createSimulator().replay(scenario(), { decide: false })
  expect(results.flatMap(({ differences }) => differences)).toEqual([])
  expect(passed).toBe(true)
})

test('changes of the world become steps', async () => {
  const { simulator, steps, call } = startRecorder()
  const fault = { effect: { status: 503, body: { $match: 'id' } } }
  const literalFault = { effect: { status: 503, body: { $literal: { $match: 'id' } } } }
  const id = '018f2b6e-0000-7000-8000-00000000000a'

  call('updateRow', { params: { list: 'annotations', id: '1' }, body: { content: 'Changed' } })
  call('updateRow', { params: { list: 'organizations', id }, body: { name: 'Other' } })
  call('deleteRow', { params: { list: 'annotations', id: '2' } })
  call('addFaults', { body: fault })
  call('removeFault', { params: { id: 'fault-1' } })
  call('clearFaults')
  call('addActor', { body: { steps: [] } })
  call('removeActor', { params: { id: 'actor-1' } })
  call('clearActors')
  call('setPolicies', { body: { 'errors.body': 'html' } })
  call('replaceWorld')
  call('addGenerated')
  call('revokeKey', { params: { value: 'phx_all' } })
  call('revokeKey', { params: { value: 'phx_unknown' } })

  const world = simulator.world.toJSON()
  expect(steps).toEqual([
    { update: { annotations: [{ id: 1, content: 'Changed' }] } },
    { update: { organizations: [{ id, name: 'Other' }] } },
    { delete: { annotations: [2] } },
    { fault: literalFault },
    { remove: 'fault-1' },
    { clear: 'faults' },
    { actor: { steps: [] } },
    { remove: 'actor-1' },
    { clear: 'actors' },
    { policies: { 'errors.body': 'html' } },
    { world },
    { world },
    { revoke: 'all' },
    { revoke: 'phx_unknown' },
  ])
})

test('a snapshot that was not saved during the run is restored as its rows', () => {
  const { simulator, steps, omitted, call } = startRecorder()

  call('createSnapshot', { body: { name: 'mine' } })
  call('restoreSnapshot', { params: { name: 'mine' } })
  call('restoreSnapshot', { params: { name: 'earlier' } })
  call('importSnapshot', { params: { name: 'theirs' } })
  call('createSandbox')
  call('findJournalEntries')

  expect(steps).toEqual([
    { snapshot: 'mine' },
    { restore: 'mine' },
    { world: simulator.world.toJSON() },
  ])
  expect(omitted).toEqual(['the import of the snapshot theirs', 'a sandbox and the requests to it'])
})

test('a reset names its parts without the clock, and adds the initial faults', () => {
  const fault = { effect: { status: 503, body: { $match: 'id' } } }
  const literalFault = { effect: { status: 503, body: { $literal: { $match: 'id' } } } }
  const { simulator, steps, call } = startRecorder()
  simulator.faults.initial = [fault]

  call('resetWorld')
  call('resetWorld', { body: { only: ['rows', 'clock'] } })
  call('resetWorld', { body: { only: ['faults'] } })

  const [all, ...rest] = steps as [{ reset: readonly string[] }, ...Step[]]
  expect(all.reset).toContain('rows')
  expect(all.reset).toContain('faults')
  expect(all.reset).not.toContain('clock')
  expect(rest).toEqual([
    { fault: literalFault },
    { reset: ['rows'] },
    { reset: ['faults'] },
    { fault: literalFault },
  ])
})

test('calls to another simulator, and requests after the end are not recorded', async () => {
  const { recorder, steps, omitted, send } = startRecorder()

  recorder.addControlCall({
    operation: 'clearFaults',
    params: {},
    body: undefined,
    simulator: createSimulator(),
  })
  recorder.stop()
  await send('GET')

  expect([steps, omitted]).toEqual([[], []])
})
