import { expect, test } from 'vitest'
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
  readStep,
} from '../../../support/scenarios/story.ts'

const mode = 'fallback' as const
const path = `${annotationsPath}1/`
const post = { method: 'POST', body: '{"content": "Launch"}' }

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

test('the clock of a rewound simulation runs again if it ran at the start', async () => {
  const simulator = createSimulator()
  const scenario = parseScenario(createStory([readStep]))
  const base = toBaseUrl('*')
  const replay = new Replay(scenario, { mode, simulator, createFresh: createSimulator, base })
  await askReplay(replay, path)

  simulator.clock.set('2030-01-01T00:00:00Z')
  replay.rewind()

  expect(simulator.clock.read().mode).toBe('real')
})
