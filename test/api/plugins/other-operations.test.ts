import { expect, test } from 'vitest'
import type { Scope } from '../../../src/index.ts'
import type { SettingValues } from '../../../src/settings/setting.ts'
import { operations, pathOf } from '../../support/api/document.ts'
import { forbidden, unsupported } from '../../support/api/errors.ts'
import { initech } from '../../support/api/paths.ts'
import { catalogue, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const exporting = { capabilities: { methods: ['exportEvents'] } }

/** Starts with plugins of two organizations. `idOf` reads the documented plugin of a list, which has the id 0 if there is none. */
async function withPlugins(...rows: object[]) {
  const { ask, simulator } = await start({ world: catalogue })
  const { world } = simulator
  world.organizations.add({ id: initech })
  world.projects.add({ id: 2, organization: initech })
  for (const row of rows) world.plugins.add(row)
  const idOf = async (list: string) => Object((await ask('GET', `${plugins}${list}/`)).body).id
  return { configs: world.plugin_configs, idOf }
}

test('GET repository returns the first plugin of the catalogue', async () => {
  const url = 'https://github.com/acme/hello'
  const { idOf } = await withPlugins({ id: 1, url: `${url}-other` }, { id: 2, url })

  expect(await idOf('repository')).toBe(2)
})

test('GET exports_unsubscribe_configs returns the first plugin with an export configuration', async () => {
  const own = [2, 3].map((id) => ({ id, ...exporting }))
  const other = { id: 4, ...exporting, organization: initech }
  const { configs, idOf } = await withPlugins({ id: 1 }, ...own, other)
  const ids = [await idOf('exports_unsubscribe_configs')]

  configs.add({ plugin: 1 })
  configs.add({ plugin: 2, enabled: false })
  configs.add({ plugin: 2, deleted: true })
  for (const plugin of [3, 4]) configs.add({ plugin, project: 2 })
  ids.push(await idOf('exports_unsubscribe_configs'))
  configs.add({ plugin: 3 })
  ids.push(await idOf('exports_unsubscribe_configs'))
  configs.add({ plugin: 2 })
  ids.push(await idOf('exports_unsubscribe_configs'))

  expect(ids).toEqual([0, 0, 3, 2])
})

test('GET unused returns the first plugin without an enabled configuration', async () => {
  const other = { id: 2, organization: initech }
  const { configs, idOf } = await withPlugins(
    { id: 1 },
    other,
    { id: 3, is_global: true },
    { id: 4 },
  )
  const ids: number[] = []

  for (const config of [
    { plugin: 1, deleted: true },
    { plugin: 1 },
    { plugin: 3, enabled: false },
    { plugin: 3, project: 2 },
    { plugin: 4 },
  ]) {
    configs.add(config)
    ids.push(await idOf('unused'))
  }

  expect(ids).toEqual([1, 3, 3, 4, 0])
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
