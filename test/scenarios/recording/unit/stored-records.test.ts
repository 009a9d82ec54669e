import { expect, onTestFinished, test } from 'vitest'
import type { Step } from '../../../../src/index.ts'
import type { JournalRecord } from '../../../../src/sandbox/journal/record.ts'
import { isBodyCut, RunRecorder } from '../../../../src/scenarios/recording/run-recorder.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'

test.each<readonly [string, string, object, unknown, boolean]>([
  ['GET', 'mid-body', { cut_bytes: 3 }, 'abcd', true],
  ['GET', 'mid-body', { cut_bytes: 4 }, 'abcd', false],
  ['GET', 'mid-body', { cut_bytes: 4 }, 'abcé', true],
  ['GET', 'mid-body', { cut_bytes: 4 }, { omitted: 5 }, true],
  ['GET', 'mid-body', { cut_bytes: 5 }, { omitted: 5 }, false],
  ['GET', 'mid-body', { drop: true }, 'ab', true],
  ['GET', 'mid-body', { drop: true }, 'a', false],
  ['GET', 'mid-body', { drop: true }, '', false],
  ['GET', 'mid-body', { delay_ms: 5 }, 'abcd', false],
  ['GET', 'before', { drop: true }, 'abcd', false],
  ['HEAD', 'mid-body', { cut_bytes: 3 }, 'abcd', false],
])('of a response to %s a fault %s with %j cuts the body %j: %s', (...row) => {
  const [method, phase, effect, body, expected] = row
  const record = { method, response: { body }, fault: { id: 'fault-1', phase, effect } }

  expect(isBodyCut(record as unknown as JournalRecord)).toBe(expected)
})

test('a response without a fault is whole', () => {
  const record = { method: 'GET', response: { body: 'abcd' }, fault: null }

  expect(isBodyCut(record as unknown as JournalRecord)).toBe(false)
})

/** Records a run, and calls of the control API. */
function startRecorder() {
  const simulator = createSimulator({ clock: noon })
  const steps: Step[] = []
  const omitted: string[] = []
  const recorder = new RunRecorder(simulator, {
    add: (step) => void steps.push(step),
    omit: (what) => void omitted.push(what),
  })
  onTestFinished(() => recorder.stop())
  const call = (operation: string, body?: unknown, params: Readonly<Record<string, string>> = {}) =>
    recorder.addControlCall({ operation, params, body, simulator })
  return { simulator, steps, omitted, call }
}

const special = { $match: 'id' }

test.each<readonly [string, unknown, Readonly<Record<string, string>>, unknown[]]>([
  [
    'addRows',
    { plugins: [{ metrics: special }] },
    {},
    [{ rows: { plugins: [{ metrics: { $literal: special } }] } }],
  ],
  ['addRows', { keys: [] }, {}, [{ rows: {} }]],
  [
    'updateRow',
    { metrics: special },
    { list: 'plugins', id: '7' },
    [{ update: { plugins: [{ id: 7, metrics: { $literal: special } }] } }],
  ],
  [
    'deleteRow',
    undefined,
    { list: 'organizations', id: '7' },
    [{ delete: { organizations: ['7'] } }],
  ],
  ['setPolicies', { 'limits.body': 5 }, {}, [{ policies: { 'limits.body': 5 } }]],
  ['addActor', { steps: [special] }, {}, [{ actor: { steps: [{ $literal: special }] } }]],
  ['restoreSnapshot', undefined, { name: 'mine' }, [{ restore: 'mine' }]],
  ['resetWorld', {}, {}, [{ reset: ['rows', 'policies', 'faults', 'actors'] }]],
  ['resetWorld', { only: ['clock'] }, {}, [{ reset: [] }]],
  ['setClock', { mode: 'real' }, {}, []],
  ['findRows', undefined, {}, []],
])('the call %s with %j and %j of a run becomes %j', (operation, body, params, expected) => {
  const { steps, omitted, call } = startRecorder()
  call('createSnapshot', { name: 'mine' })

  call(operation, body, params)

  expect(steps).toEqual([{ snapshot: 'mine' }, ...expected])
  expect(omitted).toEqual([])
})

test('keys that share a label are revoked by their values', () => {
  const { simulator, steps, call } = startRecorder()
  const keys = ['phx_a', 'phx_b', 'phx_c'].map((value) => ({ label: 'same', value }))
  simulator.addRows({ keys: [...keys, { label: 'alone', value: 'phx_d' }] })
  call('findRows')
  for (const value of ['phx_a', 'phx_b', 'phx_c', 'phx_d']) call('revokeKey', undefined, { value })

  expect(steps).toEqual([
    { revoke: 'phx_a' },
    { revoke: 'phx_b' },
    { revoke: 'phx_c' },
    { revoke: 'alone' },
  ])
})

test('the clock is moved before a change, and before a request to when it was made', async () => {
  const { simulator, steps, call } = startRecorder()
  simulator.clock.advance({ hours: 1 })
  call('clearFaults')
  call('clearActors')
  simulator.clock.advance({ hours: 1 })
  await simulator.fetch('/api/elsewhere/')

  expect(steps.map((step) => ('method' in step ? step.path : step))).toEqual([
    { clock: '2024-06-15T13:00:00Z' },
    { clear: 'faults' },
    { clear: 'actors' },
    { clock: '2024-06-15T14:00:00Z' },
    '/api/elsewhere/',
  ])
})
