import { expect, test } from 'vitest'
import type { ActorStep } from '../../../../src/sandbox/actors/actor-request.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { diffRows, isSameJson } from '../../../../src/world/edit/row-json.ts'
import { annotationsPath, initech, noon } from '../../../support/api/paths.ts'
import { twoOrganizations } from '../../../support/api/two-organizations.ts'
import { initOf } from '../../../support/lanes/client.ts'

const base = createSimulator({ clock: noon, world: twoOrganizations, onError() {} })

function startSimulator({ world, policies = {} }: SimulatorOptions = {}): Simulator {
  const simulator = base.fork({ policies })
  if (world) simulator.replaceWorld(world)
  return simulator
}

const send = (simulator: Simulator, path = annotationsPath) =>
  simulator.fetch(path, initOf('GET', {}))

/** Runs a step after a request. Returns what it changed: the fields of each row, or its error. */
async function runStep(step: ActorStep, options: SimulatorOptions = {}) {
  const simulator = startSimulator(options)
  const { sandbox } = simulator
  const before = sandbox.snapshot().tables
  simulator.actors.add({ after: { operation: 'listAnnotations' }, steps: [step] })
  simulator.clock.advance({ hours: 1 })
  await send(simulator)
  const [error] = simulator.actors.list()[0]?.errors ?? []
  if (error) return error.message
  const changes = diffRows(before, sandbox.tables).map(({ list, id, before: old, after }) => {
    const fields = Object.entries(after ?? {}).filter(
      ([name, value]) => !isSameJson(Object(old)[name], value),
    )
    const shown = old && after ? Object.fromEntries(fields) : after ? 'new' : 'gone'
    return [`${list} ${id}`, shown] as const
  })
  return Object.fromEntries(changes)
}

const later = '2024-06-15T13:00:00Z'
const change = (id: unknown): ActorStep =>
  ({ update: 'annotations', id, changes: { content: 'x' } }) as ActorStep
const changed = (id: number) => ({ [`annotations ${id}`]: { content: 'x', updated_at: later } })
const outside = (rows: string, at: number) =>
  `Failed to find a row: expected a position in a list of ${rows}, got ${at}.`
const listed = { policies: { 'annotations.deleted.visibility': 'listed' } } as const

test.each<[id: unknown, result: unknown, options?: SimulatorOptions]>([
  [4, changed(4)],
  [6, changed(6)],
  [{ at: 0 }, changed(5)],
  [{ at: 1 }, changed(4)],
  [{ at: -1 }, changed(2)],
  [{ at: 5 }, changed(2)],
  [{ at: -6 }, changed(5)],
  [{ at: 6 }, outside('6 rows', 6)],
  [{ at: -7 }, outside('6 rows', -7)],
  [{ at: 6 }, changed(2), listed],
  [{ at: 0, project: 2 }, changed(7)],
  [{ at: 0, project: 3 }, changed(22)],
  [{ at: 0, project: 9 }, 'Failed to find a row: expected the id of a project, got 9.'],
  [99, 'Failed to update 99 of annotations: there is no such row.'],
])('a step changes the annotation %j', async (id, result, options) => {
  expect(await runStep(change(id), options)).toEqual(result)
})

test.each<[step: ActorStep, result: unknown]>([
  [{ create: 'annotations', row: {} }, { 'annotations 23': 'new' }],
  [{ create: 'plugins', row: {} }, { 'plugins 25': 'new' }],
  [
    { delete: 'annotations', id: { at: 0 } },
    { 'annotations 5': { deleted: true, updated_at: later } },
  ],
  [
    { delete: 'annotations', id: 99 },
    'Failed to delete an annotation: expected the id of an annotation, got 99.',
  ],
  [
    { delete: 'plugins', id: 21 },
    { 'plugins 21': 'gone', 'plugin_configs 31': 'gone' },
  ],
  [
    { delete: 'plugins', id: 99 },
    'Failed to delete a plugin: expected the id of a plugin, got 99.',
  ],
])('the step %j writes what the service would write', async (step, result) => {
  expect(await runStep(step)).toEqual(result)
})

const rename = (id: unknown): ActorStep =>
  ({ update: 'plugins', id, changes: { name: 'x' } }) as ActorStep
const everyone = { policies: { 'plugins.global.visibility': 'every_organization' } } as const

test.each<[id: unknown, names: string[] | string, options?: SimulatorOptions]>([
  [22, ['plugins 22']],
  [{ at: 0 }, ['plugins 21']],
  [{ at: -1 }, ['plugins 24']],
  [{ at: 4 }, outside('4 rows', 4)],
  [{ at: 0, organization: initech }, outside('0 rows', 0)],
  [{ at: 0, organization: initech }, ['plugins 22'], everyone],
])('a step changes the plugin %j, and counts its revision', async (id, names, options) => {
  const plugins = twoOrganizations.plugins?.map((plugin) => ({
    ...plugin,
    is_global: plugin.id === 22,
  }))
  const world = { ...twoOrganizations, plugins } as NonNullable<SimulatorOptions['world']>

  const result = await runStep(rename(id), { ...options, world })

  const plain = typeof result === 'string' ? result : Object.keys(result)
  expect(plain).toEqual(names)
  if (typeof result !== 'string') {
    expect(Object.values(result)).toEqual([{ name: 'x', revision: expect.any(Number) }])
  }
})

test('a step changes a plugin that has the highest revision already', async () => {
  const revision = Number.MAX_SAFE_INTEGER
  const plugins = twoOrganizations.plugins?.map((plugin) => ({ ...plugin, revision }))
  const world = { ...twoOrganizations, plugins } as NonNullable<SimulatorOptions['world']>

  expect(await runStep(rename(22), { world })).toEqual({ 'plugins 22': { name: 'x' } })
})

test('of the errors of all runs, the latest ten are kept, and the steps after them run', async () => {
  const simulator = startSimulator()
  const steps = Array.from({ length: 6 }, (_, index) => change(90 + index))
  simulator.actors.add({ after: { every: true }, steps: [...steps, change(1)] })
  const errors = () => simulator.actors.list()[0]?.errors.map(({ run, step }) => `${run} ${step}`)

  await send(simulator)
  const first = errors()
  await send(simulator)

  const names = steps.map((_, index) => `steps[${index}]`)
  expect(first).toEqual(names.map((name) => `1 ${name}`))
  expect(errors()).toEqual([
    ...names.slice(2).map((name) => `1 ${name}`),
    ...names.map((name) => `2 ${name}`),
  ])
  expect(simulator.world.annotations.get(1)?.content).toBe('x')
})

test('an actor runs after each number of requests, or once, and is listed with its counters', async () => {
  const simulator = startSimulator()
  const add = (after: object) => simulator.actors.add({ after, steps: [change(1)] })
  const infos = [
    add({ requests: 2 }),
    add({ requests: 2, every: true }),
    add({ operation: 'listPlugins' }),
  ]
  const counters = () => simulator.actors.list().map(({ runs, remaining }) => [runs, remaining])
  const seen = [counters()]

  for (let count = 0; count < 5; count++) {
    await send(simulator)
    seen.push(counters())
  }

  expect(infos.map(({ id, after }) => [id, after])).toEqual([
    ['actor-1', { requests: 2, every: false }],
    ['actor-2', { requests: 2, every: true }],
    ['actor-3', { operation: 'listPlugins', requests: 1, every: false }],
  ])
  expect(seen).toEqual([
    [
      [0, 2],
      [0, 2],
      [0, 1],
    ],
    [
      [0, 1],
      [0, 1],
      [0, 1],
    ],
    [
      [1, null],
      [1, 2],
      [0, 1],
    ],
    [
      [1, null],
      [1, 1],
      [0, 1],
    ],
    [
      [1, null],
      [2, 2],
      [0, 1],
    ],
    [
      [1, null],
      [2, 1],
      [0, 1],
    ],
  ])
})

test('what is listed is a copy, and an edit after a run is no write of the actor', async () => {
  const simulator = startSimulator()
  const step: ActorStep = { update: 'annotations', id: 1, changes: { content: 'Theirs' } }
  const info = simulator.actors.add({ after: {}, steps: [step] })
  Object.assign(info.steps[0] as object, { id: 2 })
  Object.assign(step.changes, { content: 'Changed since' })

  await send(simulator)
  simulator.world.annotations.update(1, { scope: 'project' })

  const { fields = [] } = simulator.why('annotation', 1) ?? {}
  const sources = fields.filter(({ since }) => since !== 'initial')
  expect(sources).toEqual([
    { field: 'content', value: 'Theirs', since: { actor: 'actor-1' } },
    { field: 'updated_at', value: noon, since: { actor: 'actor-1' } },
    { field: 'scope', value: 'project', since: { edit: 'world' } },
  ])
})
