import { expect, test } from 'vitest'
import type { Scope } from '../../../src/index.ts'
import type { SettingValues } from '../../../src/settings/setting.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { operations, pathOf } from '../../support/api/document.ts'
import { forbidden, notFound, unsupported } from '../../support/api/errors.ts'
import { initech } from '../../support/api/paths.ts'
import { bare, elsewhere, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const entry = { name: '', description: '', verified: true, maintainer: 'official' }
const first = 'https://github.com/acme/first'
const second = 'https://github.com/acme/second'
const world: WorldJson = {
  ...neighbours(),
  repository: [
    { ...entry, url: first },
    { ...entry, url: second },
  ],
}
const exporting = { capabilities: { methods: ['exportEvents'] } }

async function withPlugins(...rows: object[]) {
  const { ask, simulator } = await start({ world })
  for (const row of rows) simulator.world.plugins.add(row)
  const get = (path: string, from = plugins) => ask('GET', `${from}${path}/`)
  return { ask, simulator, get, configs: simulator.world.plugin_configs }
}

const collections = ['activity', 'exports_unsubscribe_configs', 'repository', 'unused']

/** A plugin for a client that was written from the documentation: no text is null, and no stored plugin has the id. */
const none = {
  status: 200,
  body: {
    ...Object.fromEntries(Object.entries(bare).map(([name, value]) => [name, value ?? ''])),
    id: 0,
    plugin_type: 'local',
  },
}

test.each(collections)('%s returns an empty plugin if there is none', async (path) => {
  const { ask, get, simulator } = await withPlugins()

  expect(await get(path)).toEqual(none)
  const global = { organization: initech, is_global: true, url: first, ...exporting }
  simulator.world.plugins.add({ id: 1, ...global })
  expect(await get(path)).toEqual(none)
  simulator.world.plugin_configs.add({ plugin: 1, project: 1 })
  expect(await get(path)).toEqual(none)
  expect(await ask('GET', `${plugins}0/`)).toEqual(notFound())
})

test('GET source returns the plugin', async () => {
  const { get } = await withPlugins({ id: 1, source: { 'index.ts': 'x' } })

  expect(await get('1/source')).toEqual({ status: 200, body: bare })
  expect(await get('2/source')).toEqual(notFound())
  expect(await get('1/source', elsewhere)).toEqual(notFound())
})

test('update_source changes fields like PATCH', async () => {
  const source = { 'plugin.json': '{"name":"From the file"}' }
  const { ask, simulator } = await withPlugins({ id: 1, name: 'Hello', tag: '1', source })
  const body = { tag: '2', is_global: 'on', metrics: null, name: ' Spaced ', 'index.ts': 'x' }

  const updated = await ask('PATCH', `${plugins}1/update_source/`, { body })

  const expected = { ...bare, name: 'Spaced', tag: '2', is_global: true, metrics: null }
  expect(updated).toEqual({ status: 200, body: expected })
  expect(await ask('GET', `${plugins}1/`)).toEqual(updated)
  expect(await ask('PATCH', `${plugins}1/update_source/`)).toEqual(updated)
  expect(simulator.world.plugins.get(1)?.source).toEqual(source)
  expect(await ask('PATCH', `${elsewhere}1/update_source/`, { body: {} })).toEqual(notFound())
})

test('GET activity returns the plugin that was changed last', async () => {
  const { ask, get } = await withPlugins({ id: 1, url: first }, { id: 2 }, { id: 3 })
  const answersId = async (id: number) =>
    expect(await get('activity')).toMatchObject({ status: 200, body: { id } })

  await ask('PATCH', `${plugins}2/`, { body: { name: 'Changed' } })
  expect(await get('activity')).toEqual({ status: 200, body: { ...bare, id: 2, name: 'Changed' } })
  await ask('PATCH', `${plugins}1/`, { body: { name: 'Changed' } })
  await answersId(1)
  await ask('PATCH', `${plugins}3/update_source/`, { body: { tag: '1' } })
  await answersId(3)
  await ask('POST', plugins, { body: {} })
  await answersId(4)
  await get('2')
  await ask('GET', plugins)
  await ask('PATCH', `${plugins}1/`, { body: { name: [] } })
  await answersId(4)
  await ask('POST', elsewhere, { body: {} })
  await answersId(4)
  expect(await get('activity', elsewhere)).toMatchObject({ status: 200, body: { id: 5 } })
  await ask('DELETE', `${plugins}4/`)
  await answersId(3)
})

test('GET exports_unsubscribe_configs returns the first plugin with an export configuration', async () => {
  const { get, configs } = await withPlugins(
    { id: 1 },
    { id: 2, ...exporting },
    { id: 3, ...exporting },
    { id: 4, ...exporting, organization: initech },
  )
  const expected = (id: number) => ({ status: 200, body: { ...bare, ...exporting, id } })
  const path = 'exports_unsubscribe_configs'

  configs.add({ plugin: 1 })
  configs.add({ plugin: 2, enabled: false })
  configs.add({ plugin: 2, deleted: true })
  for (const plugin of [3, 4]) configs.add({ plugin, project: 2 })
  expect(await get(path)).toEqual(none)
  configs.add({ plugin: 3 })
  expect(await get(path)).toEqual(expected(3))
  configs.add({ plugin: 2 })
  expect(await get(path)).toEqual(expected(2))
})

test('GET repository returns the plugin whose URL comes first in the catalogue', async () => {
  const { get, simulator } = await withPlugins({ id: 1 }, { id: 2, url: 'https://github.com/x/y' })
  const add = (row: object) => simulator.world.plugins.add(row)

  expect(await get('repository')).toEqual(none)
  add({ id: 3, url: second, is_global: true })
  const third = { ...bare, id: 3, url: second, is_global: true }
  expect(await get('repository')).toEqual({ status: 200, body: third })
  add({ id: 4, url: first, organization: initech })
  expect(await get('repository')).toEqual({ status: 200, body: third })
  add({ id: 5, url: `${first}?private_token=s3cr3t` })
  expect(await get('repository')).toEqual({ status: 200, body: { ...bare, id: 5, url: first } })
})

test('GET unused returns the first plugin without an enabled configuration', async () => {
  const { get, configs } = await withPlugins(
    { id: 1 },
    { id: 2, organization: initech },
    { id: 3, is_global: true },
    { id: 4 },
  )
  configs.add({ plugin: 1, deleted: true })

  expect(await get('unused')).toEqual({ status: 200, body: bare })
  configs.add({ plugin: 1 })
  expect(await get('unused')).toEqual({ status: 200, body: { ...bare, id: 3, is_global: true } })
  configs.add({ plugin: 3, enabled: false })
  expect(await get('unused')).toMatchObject({ status: 200, body: { id: 3 } })
  configs.add({ plugin: 3, project: 2 })
  expect(await get('unused')).toEqual({ status: 200, body: { ...bare, id: 4 } })
  configs.add({ plugin: 4 })
  expect(await get('unused')).toEqual(none)
})

const missing = (scope: string) => forbidden(`API key missing required scope '${scope}'`)

/** The operations that the live service refuses to keys with scopes. */
const others = operations.filter(({ live }) => live === 'none')

test.each(others)(
  'by setting $id accepts any key, or refuses all keys with scopes',
  async ({ method, documented: scope, ...operation }) => {
    const { ask, simulator } = await start({ profile: 'live' })
    const send = (
      value: SettingValues['plugins.other.scope'],
      scopes: readonly string[] | null,
    ) => {
      simulator.settings.set({ 'plugins.other.scope': value })
      const key = simulator.keys.issue({ scopes: scopes as Scope[] })
      return ask(method, pathOf(operation), { key })
    }

    expect((await send('any_key', [])).status).toBe(200)
    expect(await send('refused', ['*', scope])).toEqual(unsupported())
    expect((await send('refused', null)).status).toBe(200)
    expect((await send('plugin_scopes', [scope])).status).toBe(200)
    expect(await send('plugin_scopes', ['annotation:write'])).toEqual(missing(scope))
  },
)
