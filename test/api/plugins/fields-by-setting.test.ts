import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const nullError = ['null', 'This field may not be null.'] as const
const nullable = ['plugin_type', 'name', 'description', 'icon', 'tag']

test.each(nullable)('by setting %s cannot be null, as documented', async (field) => {
  const { ask } = await start({ world: 'empty', settings: { 'fields.nullable': 'json_fields' } })
  await ask('POST', plugins, { body: { name: 'Kept' } })
  const body = { [field]: null }

  expect(await ask('POST', plugins, { body })).toEqual(invalid(field, ...nullError))
  expect(await ask('PATCH', `${plugins}1/`, { body })).toEqual(invalid(field, ...nullError))
  const unchanged = { status: 200, body: { ...bare, name: 'Kept' } }
  expect(await ask('GET', `${plugins}1/`)).toEqual(unchanged)
})

test('by setting only the documented structured fields can be null', async () => {
  const { ask } = await start({ world: 'empty', settings: { 'fields.nullable': 'json_fields' } })
  const body = { config_schema: null, capabilities: null, metrics: null, public_jobs: null }

  expect(await ask('POST', plugins, { body })).toEqual({ status: 201, body: { ...bare, ...body } })
})

const notNull = ['config_schema', 'capabilities'] as const

test.each(notNull)('%s cannot be null in the live profile, or by setting', async (field) => {
  const live = await start({ world: 'empty', profile: 'live' })
  const setting = { 'plugins.json_fields.null': 'refused' } as const
  const documented = await start({ world: 'empty', settings: setting })
  const body = { plugin_type: 'source', [field]: null }

  for (const { ask, simulator } of [live, documented]) {
    simulator.world.plugins.add({ id: 1 })
    expect.soft(await ask('POST', plugins, { body })).toEqual(invalid(field, ...nullError))
    expect.soft(await ask('PATCH', `${plugins}1/`, { body })).toEqual(invalid(field, ...nullError))
    expect.soft(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: bare })
  }
})

test('in the live profile metrics and public_jobs can be null', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })
  const body = { plugin_type: 'source', metrics: null, public_jobs: null }

  expect(await ask('POST', plugins, { body })).toEqual({ status: 201, body: { ...bare, ...body } })
})

const host = { key: 'host', name: 'Host', type: 'string', default: '', required: true, hint: '' }
const choice = { key: 'region', name: 'Region', type: 'choice', choices: ['eu'], order: 2 }
const job = { payload: { from: { type: 'date', title: 'From', required: true, min: 1, max: 9 } } }
const structures = [
  {
    field: 'config_schema',
    fits: [{}, [], [{ markdown: '# Intro' }, host, choice], { host, region: choice }],
    fitsNot: [
      'text',
      '',
      5,
      true,
      [5],
      [null],
      ['host'],
      [host, { type: 'robot' }],
      { host: 'string' },
    ],
  },
  {
    field: 'capabilities',
    fits: [{}, { methods: ['onEvent'] }, { methods: [], jobs: ['a'], scheduled_tasks: ['b'] }],
    fitsNot: ['onEvent', [], ['onEvent'], { methods: 'all' }, { jobs: [1] }, { robots: [] }],
  },
  {
    field: 'metrics',
    fits: [{}, { sent: 'sum', largest: 'max', least: 'min' }, null],
    fitsNot: ['sum', [], ['sum'], { sent: 'average' }, { sent: 'sum', other: null }],
  },
  {
    field: 'public_jobs',
    fits: [{}, { export: job }, { export: { payload: {} } }, null],
    fitsNot: ['export', [], { export: true }, { export: job, other: {} }, { export: null }],
  },
] as const

test.each(structures)(
  'by setting $field accepts only the structure that was seen in the live service',
  async ({ field, fits, fitsNot }) => {
    const settings = { 'plugins.json_fields.structure': 'known_shape' } as const
    const { ask, simulator } = await start({ world: 'empty', settings })
    simulator.world.plugins.add({ id: 1 })

    for (const value of fits) {
      const response = await ask('PATCH', `${plugins}1/`, { body: { [field]: value } })
      expect.soft(response).toEqual({ status: 200, body: { ...bare, [field]: value } })
    }
    const unchanged = await ask('GET', `${plugins}1/`)
    for (const value of fitsNot) {
      const refusal = invalid(field, 'invalid_input', 'Value must be valid JSON.')
      const body = { [field]: value }
      expect.soft(await ask('PATCH', `${plugins}1/`, { body }), String(value)).toEqual(refusal)
      expect.soft(await ask('POST', plugins, { body }), String(value)).toEqual(refusal)
    }
    expect(await ask('GET', `${plugins}1/`)).toEqual(unchanged)
  },
)

const needed = ['name', 'url'] as const

test.each(needed)('by setting %s is required to create a plugin', async (field) => {
  const settings = { 'plugins.create.required': field } as const
  const { ask, simulator } = await start({ world: 'empty', settings })
  simulator.world.plugins.add({ id: 1 })
  const fields = { [field]: 'https://github.com/acme/hello' }
  const missing = invalid(field, 'required', 'This field is required.')

  expect(await ask('POST', plugins, { body: {} })).toEqual(missing)
  expect(await ask('POST', plugins)).toEqual(missing)
  expect(await ask('POST', `${plugins}1/upgrade/`, { body: {} })).toEqual(missing)
  expect(await ask('PATCH', `${plugins}1/`, { body: {} })).toEqual({ status: 200, body: bare })
  const name = field === 'name' ? fields.name : null
  const created = { status: 201, body: { ...bare, id: 2, name } }
  expect(await ask('POST', plugins, { body: fields })).toEqual(created)
})

test('by setting plugin_type accepts inline, or any text', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  simulator.world.plugins.add({ id: 1 })
  const patch = (plugin_type: unknown) => ask('PATCH', `${plugins}1/`, { body: { plugin_type } })
  const refusal = invalid('plugin_type', 'invalid_choice', '"robot" is not a valid choice.')

  simulator.settings.set({ 'plugins.plugin_type.values': 'july_2024' })
  expect(await patch('robot')).toEqual(refusal)
  expect(await patch('inline')).toEqual({ status: 200, body: { ...bare, plugin_type: 'inline' } })
  simulator.settings.set({ 'plugins.plugin_type.values': 'any' })
  expect(await patch('robot')).toEqual({ status: 200, body: { ...bare, plugin_type: 'robot' } })
})
