import { expect, test } from 'vitest'
import { bodyText } from '../../../../src/http/messages.ts'
import { toBaseUrl } from '../../../../src/http/url.ts'
import type { Step } from '../../../../src/index.ts'
import { parseScenario } from '../../../../src/scenarios/format/check-scenario.ts'
import { Replay } from '../../../../src/scenarios/replay-server/replay.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { askReplay, openStory } from '../../../support/scenarios/direct-replay.ts'
import {
  annotationsPath,
  clock,
  createStep,
  createStory,
  listStep,
  readStep,
} from '../../../support/scenarios/story.ts'

const mode = 'fallback' as const
const path = `${annotationsPath}1/`
const post = { method: 'POST', body: '{"content": "Launch"}' }
const json = (text: string): unknown => JSON.parse(text)

/** The status and the JSON body of a response. */
async function ask(...sent: Parameters<typeof askReplay>): Promise<[number, unknown]> {
  const { status, body } = await askReplay(...sent)
  const text = bodyText(body)
  return [status, text === '' ? null : json(text)]
}

test('the first changes are made before the first request, and others after the requests before them', async () => {
  const steps: Step[] = [
    { rows: { annotations: [{ content: 'First' }] } },
    readStep,
    { rows: { annotations: [{ content: 'Second' }] } },
    { advance: { hours: 1 } },
    createStep,
    { rows: { annotations: [{ content: 'Third' }] } },
  ]
  const replay = openStory(steps, { mode })
  const { annotations } = replay.simulator.world
  const contents = () =>
    annotations
      .list()
      .map(({ content }) => content ?? '')
      .filter((content) => /First|Second|Third|Launch$/.test(content))

  await replay.ready()
  const before = contents()
  await askReplay(replay, path)
  const between = contents()
  await askReplay(replay, annotationsPath, post)

  expect([before, between, contents()]).toEqual([
    ['First'],
    ['First'],
    ['First', 'Second', 'Launch'],
  ])
  expect(replay.simulator.clock.iso()).toBe('2024-06-15T13:00:00Z')
})

test('a recorded response has the values of the simulation, and the recorded ones where both differ', async () => {
  const replay = openStory(
    [
      { ...readStep, expect: { status: 200, body: { content: 'Recorded' } } },
      { ...readStep, expect: { status: 404 } },
      { ...readStep, expect: { status: 200, body: { content: 'Release 1.0' } } },
      readStep,
    ],
    { mode },
  )
  replay.simulator.world.annotations.update(1, { content: 'Mine', date_marker: null })

  const [recorded, missing, other, none] = [
    await ask(replay, path),
    await ask(replay, path),
    await ask(replay, path),
    await ask(replay, path),
  ]

  expect(recorded).toMatchObject([200, { content: 'Recorded', date_marker: null }])
  expect(missing).toMatchObject([404, { code: 'not_found' }])
  expect(other).toMatchObject([200, { content: 'Release 1.0', date_marker: null }])
  expect(none).toMatchObject([200, { content: 'Mine', date_marker: null }])
})

test('if the simulation cannot complete a recorded response, the recording does', async () => {
  const expected = {
    status: 200,
    body: { content: { $pattern: '^Release' }, scope: { $match: 'text' } },
  }
  const replay = openStory(
    [
      { ...readStep, expect: expected },
      { ...readStep, expect: expected },
    ],
    { mode },
  )
  const { annotations } = replay.simulator.world
  annotations.update(1, { content: 'Mine' })

  const recorded = await ask(replay, path)
  annotations.update(1, { content: 'Release 9' })

  expect(recorded).toMatchObject([200, { content: 'Release 1.0', scope: expect.any(String) }])
  expect(await ask(replay, path)).toMatchObject([200, { content: 'Release 9' }])
})

test('a response in which the simulation breaks the connection is the recorded one', async () => {
  const replay = openStory([{ ...readStep, expect: { body: { content: 'Recorded' } } }, readStep], {
    mode,
  })
  replay.simulator.faults.add({ method: 'GET', effect: { drop: true } })

  expect(await ask(replay, path)).toMatchObject([200, { id: 1, content: 'Recorded' }])
  expect(await askReplay(replay, path)).toMatchObject({ status: 0, body: null })
})

test('ids of the simulation are saved for later requests, instead of those of the recording', async () => {
  const patch = {
    as: 'all',
    method: 'PATCH',
    path: `${annotationsPath}{id}/`,
    body: { content: 'Done' },
  }
  const replay = openStory([createStep, patch], { mode })
  const id = replay.simulator.world.annotations.create({ content: 'Before' }).id + 1

  const early = await ask(replay, '/api/nowhere/')
  const created = await ask(replay, annotationsPath, post)
  const done = await ask(replay, `${annotationsPath}${id}/`, {
    method: 'PATCH',
    body: '{"content": "Done"}',
  })

  expect(early).toMatchObject([404, {}])
  expect(created).toMatchObject([201, { id, content: 'Launched!' }])
  expect(done).toMatchObject([200, { id, content: 'Done' }])
  expect([replay.unused, replay.unexpected.length]).toEqual([[], 1])
})

test('other requests reach the simulation, and unknown paths are those of the service', async () => {
  const replay = openStory([readStep], { mode })

  expect(await ask(replay, annotationsPath, post)).toMatchObject([201, { content: 'Launch' }])
  expect(await ask(replay, '/api/nowhere/')).toMatchObject([404, { detail: 'Endpoint not found.' }])
  expect(replay.unexpected.map((one) => one.path)).toEqual([annotationsPath, '/api/nowhere/'])
})

test('a change that the simulation refuses is an error of the requests after it', async () => {
  const remove: Step = { delete: { annotations: [1] } }
  const replay = openStory([readStep, remove, listStep, { advance: { hours: 1 } }, readStep], {
    mode,
  })
  await replay.ready()
  replay.simulator.world.annotations.delete(1)

  const errors = [await ask(replay, annotationsPath), await ask(replay, path)]
  await ask(replay, path)

  const detail = 'steps[1]: Failed to delete a row of annotations: expected an existing id, got 1.'
  expect(errors).toMatchObject([
    [500, { code: 'not_replayable', detail }],
    [404, {}],
  ])
  expect(replay.simulator.clock.iso()).toBe(clock)
})

test('a rewound simulation has its first rows, clock, policies, faults and second actors', async () => {
  const actor = {
    after: { operation: 'createAnnotation' },
    steps: [{ create: 'annotations', row: {} }],
  } as const
  const fault = { operation: 'listPlugins', effect: { error: 'throttled' } } as const
  const simulator = createSimulator({ clock })
  simulator.faults.add(fault)
  simulator.actors.add(actor)
  const scenario = parseScenario(createStory([readStep]))
  const base = toBaseUrl('*')
  const replay = new Replay(scenario, { mode, simulator, createFresh: createSimulator, base })
  await askReplay(replay, path)
  const state = () => [
    simulator.world.annotations.count,
    simulator.clock.read(),
    simulator.policies.get('methods.put'),
    simulator.faults.list().map(({ id }) => id),
    simulator.actors.list().map(({ id }) => id),
  ]
  const initial = state()

  simulator.world.annotations.delete(1)
  simulator.clock.set('2030-01-01T00:00:00Z')
  simulator.policies.set({ 'methods.put': 'on' })
  simulator.faults.add(fault)
  simulator.actors.add(actor)
  const changed = state()
  replay.rewind()

  expect(changed).toEqual([
    (initial[0] as number) - 1,
    expect.objectContaining({ now: '2030-01-01T00:00:00Z' }),
    'on',
    ['fault-2', 'fault-1'],
    ['actor-1', 'actor-2'],
  ])
  expect(state()).toEqual(initial)
})

test.each([
  ['real', 'real'],
  [{ mode: 'ticking', time: clock }, 'ticking'],
  [clock, 'frozen'],
] as const)('a rewound simulation with the clock %j is %s again', async (setting, clockMode) => {
  const replay = openStory([readStep], { mode }, { clock: setting })
  await replay.ready()

  replay.simulator.clock.set(clockMode === 'frozen' ? 'real' : '2030-01-01T00:00:00Z')
  replay.rewind()

  expect(replay.simulator.clock.read().mode).toBe(clockMode)
})
