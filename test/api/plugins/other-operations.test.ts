import { expect, test } from 'vitest'
import type { Scope } from '../../../src/index.ts'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
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
  configs.add({ plugin: 4, project: 2 })
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

const extras = [
  { method: 'GET', name: 'check_for_updates', path: '1/check_for_updates/', scope: 'plugin:read' },
  { method: 'GET', name: 'source', path: '1/source/', scope: 'plugin:read' },
  { method: 'PATCH', name: 'update_source', path: '1/update_source/', scope: 'plugin:write' },
  { method: 'POST', name: 'upgrade', path: '1/upgrade/', scope: 'plugin:write' },
  { method: 'GET', name: 'activity', path: 'activity/', scope: 'plugin:read' },
  {
    method: 'GET',
    name: 'exports_unsubscribe_configs',
    path: 'exports_unsubscribe_configs/',
    scope: 'plugin:read',
  },
  { method: 'GET', name: 'repository', path: 'repository/', scope: 'plugin:read' },
  { method: 'GET', name: 'unused', path: 'unused/', scope: 'plugin:read' },
] as const

const missing = (scope: string) => forbidden(`API key missing required scope '${scope}'`)

async function withOne(profile: 'documented' | 'live', settings: SettingOverrides = {}) {
  const world = { ...neighbours(), repository: [catalogued] }
  const { ask, simulator } = await start({ world, profile, settings })
  const { url } = catalogued
  simulator.world.plugins.add({ id: 1, url, capabilities: { methods: ['onEvent'] } })
  simulator.world.plugin_configs.add({ plugin: 1, enabled: true })
  simulator.world.plugins.add({ id: 2 })
  return { ask, issue: (scopes: Scope[] | null) => simulator.keys.issue({ scopes }) }
}

const catalogued = {
  name: 'Hello',
  url: 'https://github.com/acme/hello',
  description: '',
  verified: true,
  maintainer: 'official',
}

test.each(extras)(
  'by setting $name accepts any key, or refuses all keys with scopes',
  async ({ method, path, scope }) => {
    const open = await withOne('documented', { 'plugins.other.scope': 'any_key' })
    const closed = await withOne('documented', { 'plugins.other.scope': 'refused' })
    const live = await withOne('live', { 'plugins.other.scope': 'plugin_scopes' })
    const request = [method, `${plugins}${path}`] as const

    expect((await open.ask(...request, { key: open.issue([]) })).status).toBe(200)
    expect(await closed.ask(...request, { key: closed.issue(['*', scope]) })).toEqual(unsupported())
    expect((await closed.ask(...request, { key: closed.issue(null) })).status).toBe(200)
    expect((await live.ask(...request, { key: live.issue([scope]) })).status).toBe(200)
    const annotations = live.issue(['annotation:write'])
    expect(await live.ask(...request, { key: annotations })).toEqual(missing(scope))
  },
)
