import { expect, test } from 'vitest'
import { type Scenario, scenarioReport } from '../src/index.ts'
import { replayThere } from './support/replay.ts'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const clock = '2024-06-15T12:00:00Z'

/** A scenario of some steps in the default world. */
const scenario = (steps: Scenario['steps'], more: Partial<Scenario> = {}): Scenario => ({
  title: 'An annotation',
  world: 'default',
  clock,
  steps,
  ...more,
})

test('a scenario that goes as it is written holds', async () => {
  const result = await replayThere(
    scenario([
      {
        title: 'create it',
        as: 'all',
        method: 'POST',
        path: list,
        body: { content: 'Launch' },
        expect: {
          status: 201,
          headers: { 'content-type': 'application/json', 'retry-after': null },
          body: { id: { $match: 'id' }, content: { $pattern: '^L' }, created_at: clock },
        },
        save: { id: '/id' },
      },
      {
        as: 'annotation:read',
        method: 'GET',
        path: `${list}{id}/`,
        expect: { status: '2xx', body: { id: { $saved: 'id' }, deleted: { $not: true } } },
      },
    ]),
  )

  expect(scenarioReport(result)).toBe(`An annotation
  ✓ 1 create it
  ✓ 2 GET /api/projects/1/annotations/{id}/
  2 of 2 steps as expected.`)
})

test('a saved value stands in a form', async () => {
  const create = { as: 'all', method: 'POST', path: list }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  const result = await replayThere(
    scenario(
      [
        { ...create, body: { content: 'Launch' }, save: { id: '/id' } },
        {
          ...create,
          headers,
          text: { $text: 'content=After+{id}+{{id}}' },
          expect: { status: 201, body: { content: { $text: 'After {id} {{id}}' } } },
        },
      ],
      { profile: 'live' },
    ),
  )

  expect(scenarioReport(result)).toContain('2 of 2 steps as expected.')
  expect(result.held).toBe(true)
})

test('a difference is told by where it is, and by the policy that decides it', async () => {
  const result = await replayThere(
    scenario([
      {
        title: 'hard delete',
        as: 'all',
        method: 'DELETE',
        path: `${list}1/`,
        expect: { status: 404, body: { code: 'not_found' } },
      },
      {
        title: 'the row stays',
        as: 'all',
        method: 'GET',
        path: `${list}1/`,
        expect: { status: 200 },
      },
    ]),
  )

  expect(result.held).toBe(false)
  expect(scenarioReport(result).replaceAll(result.base_url, '')).toBe(`An annotation
  ✗ 1 hard delete
      DELETE /api/projects/1/annotations/1/
      status
        expected 404
        got      405
      body.code
        expected "not_found"
        got      "method_not_allowed"
      decided by annotations.delete.status = 405 (documented: hard deletion is not allowed; the caller is told to use PATCH); as expected with 404
  ✓ 2 the row stays
  1 of 2 steps as expected, 1 differed.`)
})

test('the whole body, to the last field; the whole text, to the last byte', async () => {
  const detail = 'Not found.'
  const missing = { as: 'all', method: 'GET', path: `${list}999/` } as const
  const result = await replayThere(
    scenario([
      {
        ...missing,
        expect: { exact_body: { type: 'invalid_request', code: 'not_found', detail } },
      },
      {
        ...missing,
        expect: { exact_body: { type: 'invalid_request', code: 'not_found', detail, attr: null } },
      },
      {
        ...missing,
        expect: {
          text: '{"type":"invalid_request","code":"not_found","detail":"Not found.","attr":null}',
        },
      },
    ]),
  )

  expect(result.steps.map(({ outcome }) => outcome)).toEqual(['differed', 'held', 'held'])
  expect(result.steps[0]?.differences).toEqual([
    { path: ['expect', 'exact_body', 'attr'], where: 'body.attr', expected: undefined, got: null },
  ])
})

test('saved values go into paths, queries, headers and bodies', async () => {
  const result = await replayThere(
    scenario([
      {
        as: 'all',
        method: 'GET',
        path: list,
        query: { search: 'incident' },
        expect: { body: { count: 0 } },
      },
      {
        rows: {
          annotations: [{ content: 'Incident {id}' }],
          keys: [{ label: 'mine', scopes: ['*'] }],
        },
        save: { id: '/annotations/0', mine: '/keys/0' },
      },
      {
        title: 'what stands in two braces is no name',
        method: 'GET',
        path: list,
        query: { search: 'Incident {{id}}' },
        headers: { authorization: 'Bearer {mine}' },
        expect: { body: { count: 1, results: [{ id: { $saved: 'id' } }] } },
      },
      {
        as: 'mine',
        method: 'PATCH',
        path: `${list}{id}/`,
        body: {
          content: { $text: 'No. {id}' },
          dashboard_item: null,
          deleted: { $literal: false },
        },
        expect: { body: { id: { $saved: 'id' }, content: { $pattern: '^No\\. \\d+$' } } },
      },
    ]),
  )

  expect(scenarioReport(result)).toContain('4 of 4 steps as expected.')
})

test('a value that was not there is missed by the steps that need it', async () => {
  const result = await replayThere(
    scenario([
      { as: 'all', method: 'GET', path: `${list}1/`, save: { id: '/results/0/id' } },
      { as: 'all', method: 'GET', path: `${list}{id}/` },
      { as: 'all', method: 'GET', path: list, expect: { status: 200 } },
    ]),
  )

  expect(scenarioReport(result).replaceAll(result.base_url, '')).toMatch(
    /save\.id\n +expected a value at \/results\/0\/id\n +got {6}nothing\n[\s\S]*- 2 GET [\s\S]* expected the value \{id\}, which a step before saves\n +got {6}nothing\n {2}✓ 3 /,
  )
  expect(scenarioReport(result)).toContain('1 of 3 steps as expected, 1 differed, 1 skipped.')
})

test('a second writer changes the row that a step has made', async () => {
  const result = await replayThere(
    scenario([
      { as: 'all', method: 'POST', path: list, body: { content: 'Mine' }, save: { id: '/id' } },
      {
        actor: {
          after: { method: 'GET' },
          // A saved value may stand where the types want an id.
          steps: [
            {
              update: 'annotations',
              id: { $saved: 'id' } as unknown as number,
              changes: { content: 'Theirs' },
            },
          ],
        },
      },
      { as: 'all', method: 'GET', path: `${list}{id}/`, expect: { body: { content: 'Mine' } } },
      { as: 'all', method: 'GET', path: `${list}{id}/`, expect: { body: { content: 'Theirs' } } },
    ]),
  )

  expect(scenarioReport(result)).toContain('4 of 4 steps as expected.')
})

test('a change that cannot be made is a difference', async () => {
  const result = await replayThere(scenario([{ rows: { annotations: [{ project: 77 }] } }]))

  expect(scenarioReport(result)).toMatch(
    /✗ 1 rows\n +rows\n +expected a change that can be made\n[\s\S]*77/,
  )
})

test('one step alone is compared, and nothing after the last', async () => {
  const steps = [
    { as: 'all', method: 'GET', path: list, expect: { status: 500 } },
    { title: 'the second', as: 'all', method: 'GET', path: list, expect: { status: 200 } },
    { as: 'all', method: 'GET', path: list, expect: { status: 500 } },
  ]
  const outcomes = async (options: object) =>
    (await replayThere(scenario(steps), options)).steps.map(({ outcome }) => outcome)

  expect(await outcomes({ only: 'the second' })).toEqual(['prepared', 'held'])
  expect(await outcomes({ until: 2 })).toEqual(['differed', 'held'])
  await expect(outcomes({ only: 4 })).rejects.toThrow(
    'expected the title of a step, or its number from 1 to 3, got 4',
  )
})

test('another profile takes the place of the scenario’s own', async () => {
  const { held, steps } = await replayThere(
    scenario([{ as: 'all', method: 'PUT', path: `${list}1/`, body: {}, expect: { status: 405 } }], {
      profile: 'documented',
    }),
    { profile: 'live' },
  )

  expect(held).toBe(false)
  expect(steps[0]?.decided_by).toMatchObject([
    { id: 'methods.put', setting: 'on', would_be: 'off', alone: false },
    {
      id: 'methods.undocumented',
      setting: 'refused_to_scoped_keys',
      would_be: '405',
      alone: false,
    },
  ])
})

test('a world can stand in the scenario; its seed decides what is made', async () => {
  const { simulator } = await start()
  const world = simulator.world.toJSON()
  const own = { ...world, annotations: [] }
  const empty = { as: 'all', method: 'GET', path: list, expect: { body: { count: 0 } } }

  const result = await replayThere(scenario([empty], { world: own, seed: 5 }))

  expect(scenarioReport(result)).toContain('1 of 1 step as expected.')
})

test('a replay leaves the world as it is, and begins with it where it names none', async () => {
  const { simulator } = await start()
  const { id } = simulator.world.annotations.create({ content: 'Mine' })
  const before = simulator.world.toJSON()
  const path = `${list}${id}/`

  const result = await simulator.replay({
    title: 'My own row',
    steps: [
      { as: 'all', method: 'GET', path, expect: { body: { content: 'Mine' } } },
      { as: 'all', method: 'PATCH', path, body: { deleted: true }, expect: { status: 200 } },
      { advance: { days: 1 } },
      { policies: { 'annotations.delete.status': '404' } },
    ],
  })

  expect(result.held).toBe(true)
  expect(simulator.world.toJSON()).toEqual(before)
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.clock.iso()).toBe(clock)
  expect(simulator.policies.get('annotations.delete.status')).toBe('405')
})
