import { expect, test } from 'vitest'
import { crashed, invalid } from '../../support/api/errors.ts'
import { bare, emptyWithOldKey, oldKey, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const config = [{ key: 'host', name: 'Host', type: 'string' }]

async function withFiles(source: Record<string, string | number | null> = {}) {
  const { ask, simulator } = await start({ world: emptyWithOldKey, profile: 'live' })
  simulator.world.plugins.add({ id: 1, name: 'Hello', plugin_type: 'source', source })
  const shown = { ...bare, name: 'Hello', plugin_type: 'source' }
  return {
    simulator,
    shown,
    edit: (body: unknown, options: object = {}) =>
      ask('PATCH', `${plugins}1/update_source/`, { ...oldKey, body, ...options }),
    read: () => ask('GET', `${plugins}1/source/`, oldKey),
    plugin: () => ask('GET', `${plugins}1/`, oldKey),
  }
}

test.each(['NaN', '[1, {"a": -Infinity}]'])(
  'a file cannot be %s, which is no JSON',
  async (value) => {
    const { edit, read } = await withFiles({ 'index.ts': 'x' })
    const raw = `{"site.ts": "y", "plugin.json": ${value}}`

    expect(await edit(undefined, { raw, headers: { 'content-type': 'application/json' } })).toEqual(
      invalid('plugin.json', 'invalid_input', 'Value must be valid JSON.'),
    )
    expect(await read()).toEqual({ status: 200, body: { 'index.ts': 'x' } })
  },
)

test('name and config_schema follow plugin.json', async () => {
  const { edit, plugin, shown } = await withFiles({ 'index.ts': 'x' })
  const json = JSON.stringify({ name: 'Renamed', config, description: 'Not followed' })

  expect(await edit({ 'plugin.json': json })).toMatchObject({ status: 200 })
  const followed = { ...shown, name: 'Renamed', config_schema: config }
  expect(await plugin()).toEqual({ status: 200, body: followed })

  await edit({ 'plugin.json': '{"name":"Again"}' })
  expect(await plugin()).toEqual({ status: 200, body: { ...followed, name: 'Again' } })
  await edit({ 'plugin.json': '{"config":{}}' })
  expect(await plugin()).toEqual({ status: 200, body: { ...shown, name: 'Again' } })
  await edit({ 'plugin.json': null })
  expect(await plugin()).toEqual({ status: 200, body: { ...shown, name: 'Again' } })
})

const nameless = [
  'null',
  '[]',
  '"text"',
  '{"name":5}',
  '{"name":null}',
  '{"name":["x"]}',
  '{"x":NaN}',
  '{"name":"x","x":1e400}',
]

test.each(nameless)(
  'a plugin.json of %s is stored, and the fields of the plugin do not change',
  async (json) => {
    const { edit, read, plugin, shown } = await withFiles({ 'index.ts': 'x' })

    await edit({ 'plugin.json': json })

    expect(await read()).toEqual({ status: 200, body: { 'index.ts': 'x', 'plugin.json': json } })
    expect(await plugin()).toEqual({ status: 200, body: shown })
  },
)

test.each(['{', ''])('a plugin.json of "%s" crashes after the files were saved', async (json) => {
  const { edit, read, plugin, shown } = await withFiles({ 'index.ts': 'x' })
  const files = { 'index.ts': 'x', 'plugin.json': json }

  expect(await edit({ 'plugin.json': json })).toEqual(crashed())

  expect(await read()).toEqual({ status: 200, body: files })
  expect(await plugin()).toEqual({ status: 200, body: shown })
  expect(await edit({ 'site.ts': 'y' })).toEqual(crashed())
})

test('values of any type are accepted, and names of plugin fields are ordinary file names', async () => {
  const { edit, read, plugin, shown } = await withFiles()
  const files = {
    name: 'Not a name',
    is_global: true,
    tag: 5,
    list: [1],
    map: { a: {} },
    'plugin.json': [],
  }

  expect(await edit(files)).toEqual({ status: 200, body: files })
  expect(await read()).toEqual({ status: 200, body: files })
  expect(await plugin()).toEqual({ status: 200, body: shown })
})
