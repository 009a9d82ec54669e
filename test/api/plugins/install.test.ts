import { expect, test } from 'vitest'
import { bare, catalogue, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const commit = expect.stringMatching(/^[0-9a-f]{7,40}$/)
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
  ['https://www.npmjs.com/package/hello', 'hello', expect.stringMatching(/./)],
  ['https://npmjs.com/package/hello/v/1.2.3', 'hello', '1.2.3'],
  ['https://www.npmjs.com/package/hello/v/1.2.3/', 'hello', '1.2.3'],
] as const

test.each(addresses)('%s is installed without being fetched', async (url, name, tag) => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })

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
  const plugin = created.body as { tag: string; latest_tag: string }
  expect(plugin.latest_tag).toBe(plugin.tag)
  const file = simulator.world.plugins.get(1)?.source['plugin.json']
  expect(JSON.parse(String(file))).toMatchObject({ name })
})

test('a URL gives the same plugin in every world', async () => {
  const body = { url: 'https://github.com/acme/hello' }
  const bodies = new Set<string>()

  for (const seed of [1, 2]) {
    const { ask } = await start({ world: 'empty', profile: 'live', seed })
    bodies.add(JSON.stringify(await ask('POST', plugins, { body })))
  }

  expect(bodies.size).toBe(1)
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
