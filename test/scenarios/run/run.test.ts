import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, scenarioReport } from '../../../src/index.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import {
  createStep,
  createStory,
  listStep,
  postStep,
  readStep,
  runStory,
} from '../../support/scenarios/story.ts'
import { start } from '../../support/transports/start.ts'

test('a scenario without differences passes', async () => {
  const result = await runStory([
    {
      ...createStep,
      expect: {
        status: 201,
        headers: { 'content-type': 'application/json', 'retry-after': null },
        body: { id: { $match: 'id' }, content: { $match: 'text' }, created_at: noon },
      },
    },
    {
      ...{ as: 'annotation:read', method: 'GET', path: `${annotationsPath}{id}/` },
      expect: { status: '2xx', body: { id: { $saved: 'id' }, deleted: false } },
    },
  ])

  expect(scenarioReport(result)).toBe(`An annotation
  ✓ 1 create it
  ✓ 2 GET /api/projects/1/annotations/{id}/
  2 of 2 steps passed.`)
})

test('the pointer of a saved value can name a field with a tilde', async () => {
  const metrics = { '~1': 'tilde', '/': 'slash' }

  const result = await runStory([
    {
      ...{ as: 'all', method: 'POST', path: `/api/organizations/${acme}/plugins/` },
      body: { plugin_type: 'source', name: 'Pointers', metrics },
      save: { tilde: '/metrics/~01', slash: '/metrics/~1' },
    },
    {
      ...postStep,
      body: { content: { $saved: '{tilde} {slash}' } },
      expect: { status: 201, body: { content: 'tilde slash' } },
    },
  ])

  expect(scenarioReport(result)).toContain('2 of 2 steps passed.')
})

test('a form can contain a saved value', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  const result = await createSimulator().run(
    createStory(
      [
        { ...postStep, body: { content: 'Launch' }, save: { id: '/id' } },
        {
          ...postStep,
          headers,
          text: { $saved: 'content=After+{id}+{{id}}' },
          expect: { status: 201, body: { content: { $saved: 'After {id} {{id}}' } } },
        },
      ],
      { profile: 'live' },
    ),
  )

  expect(scenarioReport(result)).toContain('2 of 2 steps passed.')
  expect(result.passed).toBe(true)
})

test('paths, queries, headers and bodies can contain saved values', async () => {
  const result = await runStory([
    { ...listStep, query: { search: 'incident' }, expect: { body: { count: 0 } } },
    {
      ...{ ...listStep, path: `${annotationsPath}?limit=1`, query: { offset: 4 } },
      expect: { body: { count: 6, results: [{ id: { $match: 'id' } }] } },
    },
    { ...postStep, headers: { 'Content-Type': 'text/csv' }, body: {}, expect: { status: 415 } },
    {
      rows: {
        annotations: [{ content: 'Incident {id}' }],
        keys: [{ label: 'mine', scopes: ['*'] }],
      },
      save: { id: '/annotations/0', mine: '/keys/0' },
    },
    {
      title: 'a name in double braces is plain text',
      method: 'GET',
      path: annotationsPath,
      query: { search: 'Incident {{id}}' },
      headers: { authorization: 'Bearer {mine}' },
      expect: { body: { count: 1, results: [{ id: { $saved: 'id' } }] } },
    },
    {
      ...{ as: 'mine', method: 'PATCH', path: `${annotationsPath}{id}/` },
      body: { content: { $saved: 'No. {id}' }, dashboard_item: null, deleted: { $literal: false } },
      expect: { body: { id: { $saved: 'id' }, content: { $saved: 'No. {id}' } } },
    },
  ])

  expect(scenarioReport(result)).toContain('6 of 6 steps passed.')
})

test('an edit of a fault changes the row that a step created', async () => {
  // A saved value can be used instead of an id.
  const annotations = [{ id: { $saved: 'id' } as never, content: 'Theirs' }]
  const read = { as: 'all', method: 'GET', path: `${annotationsPath}{id}/` } as const

  const result = await runStory([
    { ...postStep, body: { content: 'Mine' }, save: { id: '/id' } },
    { fault: { method: 'GET', effect: { edit: [{ update: { annotations } }] } } },
    { ...read, expect: { body: { content: 'Mine' } } },
    { ...read, expect: { body: { content: 'Theirs' } } },
  ])

  expect(scenarioReport(result)).toContain('4 of 4 steps passed.')
})

test('options replace the profile and the settings of the scenario', async () => {
  const put = { ...readStep, method: 'PUT', body: {}, expect: { status: 405 } } as const
  const remove = { ...readStep, method: 'DELETE', expect: { status: 404 } } as const
  // No setting gives it the value.
  const keep = { ...remove, save: { lost: '/lost' } }
  const settingsTo = (status: '404' | '405') => ({ 'annotations.delete.status': status })
  const settings = { ...settingsTo('405'), 'limits.body': 10 }
  const large = { ...put, body: { content: 'Launch' }, expect: { status: 413 } }
  const { steps } = await createSimulator().run(
    createStory([put, keep, remove, large], { profile: 'documented', settings }),
    { profile: 'live', settings: settingsTo('404') },
  )

  expect(steps.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'passed', 'passed'])
  expect(steps[1]?.decided_by).toEqual([])
  expect(steps[0]?.decided_by).toMatchObject([
    { id: 'methods.put', value: 'on', would_be: 'off', alone: false },
    { id: 'methods.undocumented', value: 'refused_to_scoped_keys', would_be: '405', alone: false },
  ])
})

test('the world of an option is that of a scenario without one', async () => {
  const { world: _, ...story } = createStory([{ ...listStep, expect: { body: { count: 0 } } }])

  expect((await createSimulator().run(story, { world: 'empty' })).passed).toBe(true)
})

test('the seed of a scenario decides which requests a fault with a probability fails', async () => {
  const fault = { when: { probability: 0.5 }, effect: { error: 'server_error' } } as const
  const read = { ...listStep, expect: { status: 200 } }
  const outcomes = async (seed: number) => {
    const story = createStory([{ fault }, ...Array(16).fill(read)], { seed })
    const { steps } = await createSimulator().run(story)
    return steps.map(({ outcome }) => outcome)
  }

  const [first, again, second] = [await outcomes(5), await outcomes(5), await outcomes(6)]

  expect(again).toEqual(first)
  expect(second).not.toEqual(first)
})

test('a replay does not change the world, and starts with its rows by default', async () => {
  const { simulator } = await start()
  const { id } = simulator.world.annotations.add({ content: 'Mine' })
  const before = simulator.world.toJSON()
  const path = `${annotationsPath}${id}/`

  const result = await simulator.run({
    title: 'My own row',
    steps: [
      { as: 'all', method: 'GET', path, expect: { body: { content: 'Mine' } } },
      { as: 'all', method: 'PATCH', path, body: { deleted: true }, expect: { status: 200 } },
      { advance: { days: 1 } },
      { settings: { 'annotations.delete.status': '404' } },
    ],
  })

  expect(result.passed).toBe(true)
  expect(simulator.world.toJSON()).toEqual(before)
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.clock.iso()).toBe(noon)
  expect(simulator.settings.get('annotations.delete.status')).toBe('405')
})

test('a scenario runs where the environment has no MessageChannel', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('MessageChannel', undefined)
  const steps = Array(21).fill({ as: 'all', method: 'GET', path: '/api/projects/' })

  const { passed } = await createSimulator().run({ title: 'Lists projects', steps })

  expect(passed).toBe(true)
})

test('a step can add more keys than a call can have arguments', async () => {
  const steps = [{ rows: { keys: Array(150_000).fill({}) } }]
  const adding = createSimulator().run({ title: 'Adds keys', steps }, { dry_run: true })
  expect((await adding).passed).toBe(true)
})
