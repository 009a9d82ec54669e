import { expect, test } from 'vitest'
import type { SimulatorOptions, Step, WorldJson } from '../../../../src/index.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { authorization, jsonHeaders } from '../../../support/api/headers.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { stepDifferences } from '../../../support/scenarios/exchanges.ts'

/** A simulator, and requests to its annotations. */
function startRecording(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ clock: noon, ...options })
  const get = (query = '') => simulator.fetch(annotationsPath + query, { headers: authorization() })
  const post = (body: object) =>
    simulator.fetch(annotationsPath, {
      method: 'POST',
      headers: jsonHeaders(),
      body: JSON.stringify(body),
    })
  return { simulator, get, post }
}

/** Requests by their methods, and changes as they are. */
const summarize = (steps: readonly Step[]) =>
  steps.map((step) => ('method' in step ? step.method : step))

test('before a request come stale reads, policies, edits, the time and the fault', async () => {
  const { simulator, get } = startRecording()
  await get()
  simulator.faults.add({ effect: { stale: { writes: 1 } }, when: { times: 1 } })
  simulator.world.annotations.update(1, { content: 'Unseen' })
  simulator.policies.set({ 'annotations.delete.status': '404' })
  simulator.clock.advance({ hours: 1 })
  await get()
  simulator.clock.tick('2025-01-01T00:00:00Z')
  simulator.clock.set('2025-01-01T00:00:00Z')
  simulator.faults.add({ effect: { status: 503 }, when: { times: 1 } })
  simulator.policies.set({ 'annotations.delete.status': '405_empty' })
  await get()
  await get()

  const { scenario, warnings } = simulator.record()
  simulator.reset()

  expect(warnings).toEqual([])
  expect(summarize(scenario.steps)).toEqual([
    'GET',
    { fault: { when: { times: 1 }, effect: { stale: { writes: 1 } } } },
    { policies: { 'annotations.delete.status': '404' } },
    { update: { annotations: [{ id: { $saved: 'annotation_id' }, content: 'Unseen' }] } },
    { clock: '2024-06-15T13:00:00Z' },
    'GET',
    { policies: { 'annotations.delete.status': '405_empty' } },
    { clock: '2025-01-01T00:00:00Z' },
    { fault: { when: { times: 1 }, phase: 'before', effect: { status: 503 } } },
    'GET',
    'GET',
  ])
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
})

test('the world of a recording has no secrets, and its responses match', async () => {
  const { simulator, get } = startRecording({ journal: { redact: ['content'] } })
  const key = simulator.keys.issue({ label: 'mine' })
  simulator.world.users.update(1, { first_name: 'Grace', email: 'grace@canary.test' })
  simulator.world.annotations.create({ content: 'canary-content', created_by: 1 })
  simulator.world.plugins.create({ name: `of ${key}`, description: 'by grace@canary.test' })
  await get()
  await get()

  const hidden = simulator.record({ after: 1 })
  const kept = simulator.record({ after: 1, keep: true })

  const text = JSON.stringify(hidden)
  for (const canary of ['canary', 'Grace', key]) expect(text).not.toContain(canary)
  const world = hidden.scenario.world as WorldJson
  expect(world.keys?.at(-1)).toMatchObject({ label: 'mine', value: expect.stringMatching(/^key-/) })
  expect(JSON.stringify(kept)).toContain('grace@canary.test')
  expect(JSON.stringify(kept)).not.toContain(key)
  expect(stepDifferences(await simulator.replay(hidden.scenario))).toEqual([])
})

test('a world that is given is recorded as it is, without a seed', async () => {
  const { simulator, get } = startRecording({ seed: 3 })
  await get()
  const given = { format_version: 1, seed: 5 }

  const heads = ['nothing', given].map((world) => {
    const { scenario } = simulator.record({ world })
    return { world: scenario.world, seed: scenario.seed }
  })

  expect(heads).toEqual([
    { world: 'nothing', seed: undefined },
    { world: given, seed: undefined },
  ])
})

test('a fault with a key in a header is left out', async () => {
  const { simulator, get } = startRecording()
  const key = simulator.keys.issue()
  await get()
  simulator.faults.add({ effect: { status: 503, headers: { 'x-note': `of ${key}` } } })
  await get()

  const { scenario, warnings } = simulator.record({ after: 1 })

  expect(summarize(scenario.steps)).toEqual(['GET'])
  expect(warnings).toEqual([
    expect.stringMatching(/^The recording leaves out the fault of entry 2: .*effect\.headers/s),
  ])
})

test('warnings of edits come before those of requests', async () => {
  const { simulator, post } = startRecording({ journal: { bytes: 4_000 } })
  const key = simulator.keys.issue()
  await post({ content: 'One' })
  simulator.keys.revoke(key)
  await post({ content: 'x'.repeat(2_000) })

  expect(simulator.record().warnings).toEqual([
    'The recording leaves out the removal of a key without a label.',
    'steps[2] leaves out the request body of 2014 bytes, which was not recorded.',
  ])
})

test.each([
  [{ entries: ['1'] }, 'entries[0]: expected number, got "1"'],
  [{ after: 1.5 }, 'after: expected int, got 1.5'],
  [{ world: 5 }, 'world: expected the name of a fixture, or a world, got 5'],
  [{ keep: 'yes' }, 'keep: expected boolean, got "yes"'],
  [{ title: 1 }, 'title: expected string, got 1'],
  [{ description: 1 }, 'description: expected string, got 1'],
  [{ limit: 0 }, 'limit: expected at least 1, got 0'],
])('the options %j are refused with %j', (options, message) => {
  expect(() => createSimulator().record(options as never)).toThrow(
    `Failed to record.\n  ${message}`,
  )
})
