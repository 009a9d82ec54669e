import { expect } from 'vitest'
import defaultWorld from '../fixtures/default.json' with { type: 'json' }
import { overHttp, start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const world = '/__admin/world'
const asOperator = { key: null }

overHttp(
  'a world with faults lists each of them, and changes nothing (over HTTP only: a server has it)',
  async () => {
    const { ask, simulator } = await start()
    await ask('POST', list, { body: {} })
    const before = simulator.world.toJSON()
    const [annotation] = defaultWorld.annotations

    const answer = await ask('PUT', world, {
      ...asOperator,
      body: {
        ...defaultWorld,
        annotations: [{ ...annotation, scope: 'team', id: 'one' }],
        plugin: [],
      },
    })

    expect(answer).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail: [
          'Failed to load the world: it has 3 faults. Nothing was loaded.',
          '  annotations[0].id: expected number, got "one"',
          '  annotations[0].scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
          '  world: expected no field "plugin"',
        ].join('\n'),
        attr: 'annotations[0].id',
      },
    })
    expect(simulator.world.toJSON()).toEqual(before)
  },
)

const notWorlds: readonly [what: string, raw: string | undefined, detail: string][] = [
  ['nothing', undefined, 'Failed to find the world: expected default, empty or a world as JSON'],
  ['null', 'null', 'Failed to find the world: expected default, empty or a world as JSON'],
  ['a list', '[]', 'world: expected object, got []'],
  [
    'half of one',
    '{"annotations": [',
    'JSON parse error - Expecting value: line 1 column 18 (char 17)',
  ],
  ['a number to generate', '{"generate": 5}', 'generate: expected object, got 5'],
  ['a list nobody generates', '{"generate": {"keys": 5}}', 'generate: expected no field "keys"'],
  [
    'less than nothing',
    '{"generate": {"annotations": -1}}',
    'generate.annotations: expected at least 0, got -1',
  ],
  [
    'rows with faults to add to',
    '{"generate": {"annotations": 1}, "users": [5]}',
    'users[0]: expected object, got 5',
  ],
]

overHttp.each(notWorlds)(
  '%s is no world: 400 that says why, and nothing changes (over HTTP only: a server has it)',
  async (_, raw, detail) => {
    const reported: unknown[] = []
    const onError = (error: unknown) => void reported.push(error)
    const { ask, simulator } = await start({ onError }, { onError })
    const before = simulator.world.toJSON()
    const headers = { 'content-type': 'application/json' }

    const answer = await ask('PUT', world, { ...asOperator, headers, ...(raw && { raw }) })

    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
    expect(simulator.world.toJSON()).toEqual(before)
    expect(reported).toEqual([])
  },
)
