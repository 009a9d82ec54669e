import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const secret = 'https://github.com/acme/hello?private_token=s3cr3t&x=?#s3cr3t'
const shown = 'https://github.com/acme/hello'

/** Every request that returns a plugin. */
const responses = [
  ['GET', ''],
  ['GET', '1/'],
  ['GET', '1/check_for_updates/'],
  ['GET', '1/source/'],
  ['GET', 'activity/'],
  ['GET', 'exports_unsubscribe_configs/'],
  ['GET', 'unused/'],
  ['PATCH', '1/'],
  ['PATCH', '1/update_source/'],
  ['POST', '1/upgrade/'],
] as const

test.each(responses)('%s %s returns the URL without its query', async (method, path) => {
  for (const profile of ['documented', 'live'] as const) {
    const client = await start({ world: 'empty', profile })
    const { world, keys } = client.simulator
    keys.issue({ value: 'phx_old', scopes: null })
    world.plugins.add({ id: 1, url: secret, capabilities: { methods: ['onEvent'] } })
    if (path !== 'unused/') world.plugin_configs.add({ plugin: 1 })
    const body = method === 'GET' ? {} : { body: { description: 'x' } }

    const response = await client.send(method, `${plugins}${path}`, { key: 'phx_old', ...body })

    const text = await response.text()
    expect.soft(response.status, text).toBe(200)
    expect.soft(text).not.toContain('s3cr3t')
    if (profile === 'documented' && path !== '') expect.soft(JSON.parse(text).url).toBe(shown)
  }
})

test('the row keeps the query of the URL', async () => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })

  for (const [id, url] of [secret, 'file:/srv/hello?s3cr3t', `${shown}/tree/1?s3cr3t`].entries()) {
    const created = await ask('POST', plugins, { body: { url } })

    expect.soft(created).toMatchObject({ status: 201, body: { id: id + 1, name: 'hello' } })
    expect.soft(JSON.stringify(created)).not.toContain('s3cr3t')
    expect.soft(simulator.world.plugins.get(id + 1)?.url).toBe(url)
  }
})

test('in the documented profile url is read-only', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const unread = [shown, null, 5, true, ['x'], 'x'.repeat(801)]

  for (const [index, url] of unread.entries()) {
    const id = index + 1
    const created = await ask('POST', plugins, { body: { url } })
    expect.soft(created).toEqual({ status: 201, body: { ...bare, id } })
    for (const [method, path] of [
      ['PATCH', ''],
      ['PATCH', 'update_source/'],
      ['POST', 'upgrade/'],
    ] as const) {
      const response = await ask(method, `${plugins}${id}/${path}`, { body: { url } })
      expect.soft(response).toEqual({ status: 200, body: { ...bare, id } })
    }
  }
  expect(simulator.world.plugins.list().map(({ url }) => url)).toEqual(unread.map(() => null))
})

test('PATCH and PUT cannot change url in the live profile either', async () => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })
  simulator.world.plugins.add({ id: 1, url: secret })

  for (const method of ['PATCH', 'PUT']) {
    for (const url of ['https://github.com/acme/other', null, 5, 'x'.repeat(801)]) {
      const response = await ask(method, `${plugins}1/`, { body: { url } })
      expect.soft(response).toEqual({ status: 200, body: { ...bare, url: shown } })
    }
  }
  expect(simulator.world.plugins.get(1)?.url).toBe(secret)
})

test('url has at most 800 characters if it is read', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })
  const start800 = 'https://github.com/acme/'
  const fits = `${start800}${'x'.repeat(800 - start800.length)}`
  const source = (url: string) => ({ body: { plugin_type: 'source', url } })

  expect(await ask('POST', plugins, source(`${fits}x`))).toEqual(
    invalid('url', 'max_length', 'Ensure this field has no more than 800 characters.'),
  )
  expect(await ask('POST', plugins, source(fits))).toEqual({
    status: 201,
    body: { ...bare, plugin_type: 'source', url: fits },
  })
})

test('read-only fields and unknown fields are ignored', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const body = {
    id: 77,
    latest_tag: '9.9.9',
    organization_id: '018f2b6e-0000-7000-8000-00000000000b',
    organization: '018f2b6e-0000-7000-8000-00000000000b',
    organization_name: 'Initech',
    source: { 'index.ts': '' },
    revision: 99,
    robot: true,
  }

  expect(await ask('POST', plugins, { body })).toEqual({ status: 201, body: bare })
  expect(await ask('PATCH', `${plugins}1/`, { body })).toEqual({ status: 200, body: bare })
  expect(simulator.world.plugins.list()).toMatchObject([{ id: 1, source: {} }])
})
