import { expect, test } from 'vitest'
import { forbidden } from '../../support/api/errors.ts'
import { acme } from '../../support/api/paths.ts'
import { bare, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const fields = {
  plugin_type: 'custom',
  name: 'Hello',
  description: 'Greets',
  icon: 'https://example.com/icon.png',
  config_schema: [{ key: 'host', name: 'Host', type: 'string' }],
  tag: '1.0.0',
  is_global: true,
  capabilities: { methods: ['onEvent'] },
  metrics: { sent: 'sum' },
  public_jobs: { export: { payload: {} } },
}

test('an empty body creates a plugin with default values', async () => {
  const { ask, simulator } = await start({ world: 'empty' })

  const created = await ask('POST', plugins, { body: {} })

  expect(created).toEqual({ status: 201, body: bare })
  expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: bare })
  expect(await ask('POST', plugins)).toEqual({ status: 201, body: { ...bare, id: 2 } })
  expect(simulator.world.plugins.count).toBe(2)
})

test('the documented profile stores a plugin of any type unchanged', async () => {
  const { ask, simulator } = await start({ world: 'empty' })

  for (const [index, plugin_type] of ['custom', 'local', 'repository', 'source'].entries()) {
    const body = { ...fields, plugin_type, url: 'https://github.com/acme/hello' }
    const created = await ask('POST', plugins, { body })
    expect.soft(created).toEqual({
      status: 201,
      body: { ...bare, ...fields, plugin_type, id: index + 1, url: null },
    })
  }
  expect(simulator.world.plugins.list().map(({ source }) => source)).toEqual([{}, {}, {}, {}])
})

const locations = [
  [{}, 'None'],
  [{ url: 'https://github.com/a/b?private_token=x' }, 'https://github.com/a/b'],
  [
    { url: 'https://example.com/é 🦔%20\r\nx: y' },
    'https://example.com/%C3%A9%20%F0%9F%A6%94%20%0D%0Ax:%20y',
  ],
  [{ url: '?x' }, ''],
] as const

test.each(locations)('live, the response to %j has the Location %s', async (fields, location) => {
  const client = await start({ world: 'empty', profile: 'live' })

  const body = { plugin_type: 'source', ...fields }
  const created = await client.send('POST', plugins, { body })
  const changed = await client.send('PATCH', `${plugins}1/`, { body: {} })

  expect([created.status, created.headers.get('location')]).toEqual([201, location])
  expect([changed.status, changed.headers.get('location')]).toEqual([200, null])
})

test('in the live profile only an organization with root level can create global plugins', async () => {
  const { ask, simulator } = await start({ world: neighbours({ acme: 6 }), profile: 'live' })
  const source = (is_global: unknown) => ({ body: { plugin_type: 'source', is_global } })
  const url = 'https://github.com/acme/hello'
  const refusal = forbidden("This organization can't manage global plugins!")

  expect(await ask('POST', plugins, source(true))).toEqual(refusal)
  expect(await ask('POST', plugins, source('on'))).toEqual(refusal)
  expect(await ask('POST', plugins, { body: { url, is_global: true } })).toEqual(refusal)
  expect(simulator.world.plugins.count).toBe(0)
  expect(await ask('POST', plugins, source(false))).toMatchObject({ status: 201 })
  simulator.world.organizations.update(acme, { plugins_access_level: 9 })
  expect(await ask('POST', plugins, source(true))).toEqual({
    status: 201,
    body: { ...bare, id: 2, plugin_type: 'source', is_global: true },
  })
})

test('in the documented profile any organization can create global plugins', async () => {
  const { ask } = await start({ world: neighbours({ acme: 0 }) })

  const created = await ask('POST', plugins, { body: { is_global: true } })

  expect(created).toEqual({ status: 201, body: { ...bare, is_global: true } })
})
