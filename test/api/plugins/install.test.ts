import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, catalogue, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const commit = '0000000'
const noFields = expect.toSatisfy((schema) => Object.keys(schema as object).length === 0)

/** URLs that are not in the catalogue, with the name and the tag derived from each. */
const addresses = [
  ['https://github.com/acme/hello', 'hello', commit],
  ['http://www.github.com/acme/hello/', 'hello', commit],
  ['https://github.com/acme/hello.git//', 'hello', commit],
  ['https://github.com/acme/hello/tree/v1.2.3', 'hello', 'v1.2.3'],
  ['https://github.com/acme/hello/tree/feature/x', 'hello', 'feature/x'],
  ['https://github.com/acme/hello/commit/3f2c1d0', 'hello', '3f2c1d0'],
  ['https://github.com/acme/hello/releases/tag/1.0/', 'hello', '1.0'],
  ['https://github.com/acme/hello/archive/1.0.zip', 'hello', '1.0'],
  ['https://github.com/acme/hello/archive/1.0.tar.gz', 'hello', '1.0'],
  ['https://gitlab.com/acme/hello', 'hello', commit],
  ['https://gitlab.com/acme/tools/hello/', 'hello', commit],
  ['https://gitlab.com/acme/tools/hello/-/tree/v2', 'hello', 'v2'],
  ['https://gitlab.com/acme/hello/-/commit/3f2c1d0', 'hello', '3f2c1d0'],
  ['https://gitlab.com/acme/hello/-/releases/v2', 'hello', 'v2'],
  ['https://gitlab.com/acme/hello/-/archive/v2/hello-v2.zip', 'hello', 'v2'],
  ['https://www.npmjs.com/package/hello', 'hello', commit],
  ['https://npmjs.com/package/hello/v/1.2.3/', 'hello', '1.2.3'],
] as const

test.each(addresses)('%s is installed without being fetched', async (url, name, tag) => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live', seed: url.length })

  const created = await ask('POST', plugins, { body: { url } })

  expect(created).toEqual({
    status: 201,
    body: {
      ...bare,
      plugin_type: 'custom',
      name,
      description: expect.toSatisfy((text) => text === null || text === ''),
      url,
      config_schema: noFields,
      tag,
      latest_tag: tag,
    },
  })
  const file = simulator.world.plugins.get(1)?.source['plugin.json']
  expect(JSON.parse(String(file))).toMatchObject({ name })
})

test('an entry of the catalogue without versions is installed like any URL', async () => {
  const { ask } = await start({ world: catalogue, profile: 'live' })
  const url = 'https://github.com/acme/nothing-yet'

  const created = await ask('POST', plugins, { body: { url, plugin_type: 'repository' } })

  expect(created).toMatchObject({
    status: 201,
    body: { plugin_type: 'repository', name: 'nothing-yet', url },
  })
})

const url = 'https://github.com/acme/hello'

const strangers = [
  'hello',
  'https://example.com/acme/hello',
  'https://github.com/acme',
  'https://github.com/acme/hello/issues',
  'https://github.com.example.com/acme/hello',
  'ftp://github.com/acme/hello',
  'https://gitlab.com/hello',
  'https://gitlab.com/acme/hello/-/issues',
  'https://www.npmjs.com/hello',
  '?private_token=s3cr3t',
] as const

test.each(strangers)('a plugin cannot be installed from %s', async (stranger) => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })

  const response = await ask('POST', plugins, { body: { url: stranger } })

  const detail = 'Must be a GitHub/GitLab repository or a npm package URL!'
  expect(response).toEqual(invalid(null, 'invalid_input', detail))
  expect(simulator.world.counts).toMatchObject({ plugins: 0, activity: 0 })
})

test('a URL with a trailing slash is another URL, and one without its token is not', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })

  const withToken = { body: { url: `${url}?private_token=s3cr3t` } }
  expect(await ask('POST', plugins, withToken)).toMatchObject({ status: 201 })
  expect(await ask('POST', plugins, { body: { url } })).toMatchObject({ status: 400 })
  expect(await ask('POST', plugins, { body: { url: `${url}/` } })).toMatchObject({
    status: 201,
    body: { id: 2, name: 'hello', url: `${url}/` },
  })
})
