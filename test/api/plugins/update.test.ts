import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const all = {
  plugin_type: 'repository',
  name: 'Hello',
  description: 'Greets',
  icon: 'https://example.com/icon.png',
  config_schema: { host: { name: 'Host', type: 'string' } },
  tag: '1.0.0',
  is_global: true,
  capabilities: { methods: ['onEvent'] },
  metrics: { sent: 'sum' },
  public_jobs: { export: { payload: {} } },
}
test.each(profiles)(
  'PATCH changes only the fields of the body, in the %s profile',
  async (profile) => {
    const { ask, simulator } = await start({ world: 'empty', profile })
    simulator.world.plugins.add({ id: 1 })
    let body: Record<string, unknown> = bare

    for (const [field, value] of Object.entries(all)) {
      body = { ...body, [field]: value }
      const response = await ask('PATCH', `${plugins}1/`, { body: { [field]: value } })
      expect.soft(response, field).toEqual({ status: 200, body })
      expect.soft(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body })
    }
    expect(body).toEqual({ ...bare, ...all })
    expect(await ask('PATCH', `${plugins}1/`, { body: {} })).toEqual({ status: 200, body })
    expect(await ask('PATCH', `${plugins}1/`)).toEqual({ status: 200, body })
  },
)

test('one invalid field prevents all changes, and only the first one is reported', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  simulator.world.plugins.add({ id: 1 })
  const faults = {
    public_jobs: 5,
    is_global: 'maybe',
    tag: [],
    icon: {},
    description: true,
    name: [],
    plugin_type: 'robot',
  }
  const order = ['plugin_type', 'name', 'description', 'icon', 'tag', 'is_global']

  for (const [index, field] of order.entries()) {
    const left = Object.entries(faults).filter(([name]) => !order.slice(0, index).includes(name))
    const response = await ask('PATCH', `${plugins}1/`, { body: Object.fromEntries(left) })
    expect.soft(response).toMatchObject({ status: 400, body: { attr: field } })
  }
  expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: bare })
})

test('null is accepted and refused in a form as in JSON', async () => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })
  simulator.world.plugins.add({ id: 1 })
  const patch = (field: string) =>
    ask('PATCH', `${plugins}1/`, { raw: new URLSearchParams({ [field]: ' null ' }) })

  for (const field of ['config_schema', 'capabilities']) {
    expect.soft(await patch(field)).toEqual(invalid(field, 'null', 'This field may not be null.'))
  }
  expect(await patch('metrics')).toEqual({ status: 200, body: { ...bare, metrics: null } })
  const none = { metrics: null, public_jobs: null }
  expect(await patch('public_jobs')).toEqual({ status: 200, body: { ...bare, ...none } })
})

test('in the live profile plugins are read from forms, and JSON from form fields', async () => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })
  simulator.world.plugins.add({ id: 1 })
  const form = (fields: Record<string, string>) => ({ raw: new URLSearchParams(fields) })

  const changed = await ask(
    'PATCH',
    `${plugins}1/`,
    form({ plugin_type: '', name: 'null', config_schema: '[{"markdown":"Intro"}]' }),
  )
  const refused = await ask('PATCH', `${plugins}1/`, form({ metrics: '{' }))

  const body = { ...bare, plugin_type: '', name: 'null', config_schema: [{ markdown: 'Intro' }] }
  expect(changed).toEqual({ status: 200, body })
  expect(refused).toEqual(invalid('metrics', 'invalid_input', 'Value must be valid JSON.'))
})
