import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { invalid, refusal } from '../support/api/errors.ts'
import { bare, neighbours, plugins } from '../support/api/plugins.ts'
import { start } from '../support/lanes/start.ts'

const headers = { 'content-type': 'application/json' }
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const metrics = (levels: number) => `{"metrics":${nested(levels)}}`
const notValid = (attr: string) => invalid(attr, 'invalid_input', 'Value must be valid JSON.')
const tooDeep = refusal(
  400,
  'invalid_request',
  'parse_error',
  'JSON parse error - maximum recursion depth exceeded',
)

test.each([1000, 100_000])(
  'a body nested %i levels deep in an object is malformed, and nothing is stored',
  async (levels) => {
    const { ask, simulator } = await start({ world: neighbours() })
    simulator.world.plugins.create({ id: 1, name: 'Hello' })

    expect(await ask('POST', plugins, { raw: metrics(levels), headers })).toEqual(tooDeep)
    expect(await ask('PATCH', `${plugins}1/`, { raw: metrics(levels), headers })).toEqual(tooDeep)

    expect(await ask('GET', plugins)).toMatchObject({
      status: 200,
      body: { count: 1, results: [{ ...bare, name: 'Hello' }] },
    })
    expect(simulator.world.plugins.list()).toMatchObject([{ id: 1, name: 'Hello', metrics: {} }])
  },
)

test('a value of 900 levels is stored, returned and exported, and one of 901 is refused', async () => {
  const { ask, simulator } = await start({ world: neighbours() })

  const created = await ask('POST', plugins, { raw: metrics(900), headers })

  expect(created.status).toBe(201)
  expect(JSON.stringify(created.body)).toContain(`"metrics":${nested(900)}`)
  expect(await ask('POST', plugins, { raw: metrics(901), headers })).toEqual(notValid('metrics'))
  const { status, body } = await ask('GET', plugins)
  expect([status, (body as { results: unknown[] }).results]).toEqual([200, [created.body]])
  const world = simulator.world.toJSON()
  expect(createSimulator({ world }).world.toJSON()).toEqual(world)
})

test('in the live profile the same limit applies to nested values in forms, source files and plugin.json', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  simulator.world.plugins.create({ id: 1, name: 'Hello', plugin_type: 'source' })
  const edit = (raw: string) =>
    ask('PATCH', `${plugins}1/update_source/`, { key: 'phx_old', raw, headers })
  const form = new URLSearchParams({ plugin_type: 'source', metrics: nested(5000) })
  const json = `{"name":"Deep","config":${nested(5000)}}`

  expect(await ask('POST', plugins, { raw: form })).toEqual(notValid('metrics'))
  expect(await edit(`{"index.ts":${nested(950)}}`)).toEqual(notValid('index.ts'))
  expect(await edit(JSON.stringify({ 'plugin.json': json }))).toMatchObject({ status: 500 })

  const shown = { ...bare, name: 'Hello', plugin_type: 'source' }
  expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: shown })
})

test('a number that JSON cannot represent is refused: 1e400', async () => {
  const { ask, simulator } = await start({ world: neighbours() })

  const response = await ask('POST', plugins, { raw: '{"metrics":{"sent":[1e400]}}', headers })

  expect(response).toEqual(notValid('metrics'))
  expect(simulator.world.plugins.count).toBe(0)
})

test('a row that is written directly has the same limit', async () => {
  const { simulator } = await start({ world: neighbours() })
  const within: unknown[] = []
  within.push(within)

  for (const value of [JSON.parse(nested(901)), within, [undefined], new Date(0), 5n])
    expect(() => simulator.world.plugins.create({ metrics: value as never })).toThrow(
      'metrics: expected a JSON value with at most 900 levels, got ',
    )
  expect(simulator.world.plugins.list()).toEqual([])
})
