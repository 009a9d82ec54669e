import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, emptyWithOldKey, oldKey, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

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
  const refused = await Promise.all(
    ['{', ''].map((metrics) => ask('PATCH', `${plugins}1/`, form({ metrics }))),
  )

  const body = { ...bare, plugin_type: '', name: 'null', config_schema: [{ markdown: 'Intro' }] }
  expect(changed).toEqual({ status: 200, body })
  const invalidJson = invalid('metrics', 'invalid_input', 'Value must be valid JSON.')
  expect(refused).toEqual([invalidJson, invalidJson])
})

const texts = ['null', '[]', '{"name":5}', '{"name":null}', '{"x":NaN}', '{"name":"x","x":1e400}']

test.each(texts)(
  'a plugin.json of %s is stored, as an empty file is, and the fields of the plugin do not change',
  async (json) => {
    const { ask, simulator } = await start({ world: emptyWithOldKey, profile: 'live' })
    const row = { name: 'Hello', plugin_type: 'source' as const, config_schema: { key: 'a' } }
    simulator.world.plugins.add({ id: 1, ...row, source: { 'index.ts': 'x', 'site.ts': 'y' } })

    const body = { 'plugin.json': json, 'index.ts': '', 'site.ts': null }
    const edited = await ask('PATCH', `${plugins}1/update_source/`, { ...oldKey, body })

    expect(edited).toEqual({ status: 200, body: { 'index.ts': '', 'plugin.json': json } })
    expect(await ask('GET', `${plugins}1/source/`, oldKey)).toEqual(edited)
    const shown = { status: 200, body: { ...bare, ...row } }
    expect(await ask('GET', `${plugins}1/`, oldKey)).toEqual(shown)
  },
)
