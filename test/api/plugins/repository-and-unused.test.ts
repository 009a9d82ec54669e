import { expect, test } from 'vitest'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { initech } from '../../support/api/paths.ts'
import { elsewhere, legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/lanes/start.ts'

const plain = {
  name: 'Zebra',
  url: 'https://github.com/acme/zebra',
  description: 'Last by name, first in the catalogue',
  verified: false,
  maintainer: 'community',
}
const rich = {
  name: 'Ant',
  url: 'https://gitlab.com/acme/ant?x=1',
  description: '',
  verified: true,
  maintainer: 'official',
  icon: 'https://example.com/ant.png',
  displayOnWebsiteLib: false,
  type: 'ingestion_filtering',
  imageLink: 'https://example.com/ant-large.png',
}
const versions = [{ tag: '1.0.0', plugin_json: {}, source: { 'index.ts': 'secret' } }]
const world: WorldJson = {
  ...neighbours(),
  repository: [
    { ...plain, versions },
    { ...rich, versions: [] },
    { ...plain, name: 'Twice' },
  ],
}

test('GET repository lists the catalogue in its order, without versions', async () => {
  const { ask } = await start({ world, profile: 'live' })
  const catalogue = { status: 200, body: [plain, rich, { ...plain, name: 'Twice' }] }

  for (const path of [plugins, elsewhere]) {
    expect(await ask('GET', `${path}repository/`, legacyKey)).toEqual(catalogue)
    expect(await ask('GET', `${path}repository/?limit=1&offset=1`, legacyKey)).toEqual(catalogue)
  }
})

test('the catalogue can be empty', async () => {
  const { ask } = await start({ world: neighbours(), profile: 'live' })

  expect(await ask('GET', `${plugins}repository/`, legacyKey)).toEqual({ status: 200, body: [] })
})

test('installing plugins does not change the catalogue', async () => {
  const { ask } = await start({ world, profile: 'live' })
  const before = await ask('GET', `${plugins}repository/`, legacyKey)

  await ask('POST', plugins, { body: { url: plain.url } })

  expect(await ask('GET', `${plugins}repository/`, legacyKey)).toEqual(before)
})

test('GET unused lists the ids of the plugins without an enabled configuration', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  const configs = simulator.world.plugin_configs
  for (const id of [5, 1, 4, 2, 3]) simulator.world.plugins.create({ id })
  configs.create({ plugin: 1, enabled: true })
  configs.create({ plugin: 2, enabled: false })
  configs.create({ plugin: 3, enabled: false })
  configs.create({ plugin: 3, enabled: true, project: 2 })

  expect(await ask('GET', `${plugins}unused/`, legacyKey)).toEqual({ status: 200, body: [2, 4, 5] })
  expect(await ask('GET', `${plugins}unused/?limit=1&offset=1`, legacyKey)).toEqual({
    status: 200,
    body: [2, 4, 5],
  })
})

test('GET unused includes the plugins of all organizations, global or not', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  simulator.world.plugins.create({ id: 1 })
  simulator.world.plugins.create({ id: 2, organization: initech })
  simulator.world.plugins.create({ id: 3, organization: initech, is_global: true })
  simulator.world.plugins.create({ id: 4, organization: initech })
  simulator.world.plugin_configs.create({ plugin: 4, project: 2 })

  const noor = { key: 'phx_noor_old' }
  const all = { status: 200, body: [1, 2, 3] }
  expect(await ask('GET', `${plugins}unused/`, legacyKey)).toEqual(all)
  expect(await ask('GET', `${elsewhere}unused/`, legacyKey)).toEqual(all)
  expect(await ask('GET', `${elsewhere}unused/`, noor)).toEqual(all)
})

test('GET unused is empty if every plugin is used', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })

  expect(await ask('GET', `${plugins}unused/`, legacyKey)).toEqual({ status: 200, body: [] })
  simulator.world.plugins.create({ id: 1 })
  expect(await ask('GET', `${plugins}unused/`, legacyKey)).toEqual({ status: 200, body: [1] })
  simulator.world.plugin_configs.create({ plugin: 1 })
  expect(await ask('GET', `${plugins}unused/`, legacyKey)).toEqual({ status: 200, body: [] })
})
