import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const structured = ['config_schema', 'capabilities', 'metrics', 'public_jobs']

test.each<[what: string, options: SimulatorOptions, refused: string[]]>([
  [
    'by setting null is refused, as documented',
    { settings: { 'fields.nullable': 'json_fields' } },
    ['plugin_type', 'name', 'description', 'icon', 'tag'],
  ],
  [
    'by setting null is refused',
    { settings: { 'plugins.json_fields.null': 'refused' } },
    ['config_schema', 'capabilities'],
  ],
  ['in the live profile null is refused', { profile: 'live' }, ['config_schema', 'capabilities']],
])('%s by some fields: %j', async (_, options, refused) => {
  const { ask, simulator } = await start({ world: 'empty', ...options })
  simulator.world.plugins.add({ id: 1, name: 'Kept' })
  const accepted = structured.filter((field) => !refused.includes(field))
  const nulls = Object.fromEntries(accepted.map((field) => [field, null]))

  for (const field of refused) {
    const body = { plugin_type: 'source', [field]: null }
    const refusal = invalid(field, 'null', 'This field may not be null.')
    expect.soft(await ask('POST', plugins, { body })).toEqual(refusal)
    expect.soft(await ask('PATCH', `${plugins}1/`, { body })).toEqual(refusal)
  }
  const kept = { status: 200, body: { ...bare, name: 'Kept' } }
  expect(await ask('GET', `${plugins}1/`)).toEqual(kept)
  const body = { plugin_type: 'source', ...nulls }
  expect(await ask('POST', plugins, { body })).toEqual({
    status: 201,
    body: { ...bare, ...body, id: 2 },
  })
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
    fitsNot: [
      'export',
      [],
      { export: true },
      { export: job, other: {} },
      { export: { payload: 5 } },
    ],
  },
] as const

test.each(structures)(
  "by setting $field accepts only the structure that the service's source has",
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
