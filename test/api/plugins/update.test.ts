import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
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
