import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { invalid, notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

test.each(profiles)(
  'DELETE removes a plugin and its configurations in all projects, in the %s profile',
  async (profile) => {
    const client = await start({ world: neighbours(), profile })
    const { ask, simulator } = client
    for (const id of [1, 2]) simulator.world.plugins.add({ id })
    simulator.world.plugin_configs.add({ id: 1, plugin: 1, project: 1 })
    simulator.world.plugin_configs.add({ id: 2, plugin: 2, project: 1 })
    simulator.world.plugin_configs.add({ id: 3, plugin: 1, project: 2 })
    simulator.world.plugin_configs.add({ id: 4, plugin: 1, enabled: false, deleted: true })

    const response = await client.send('DELETE', `${plugins}1/`)

    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('content-type')).toBeNull()
    expect(await ask('GET', `${plugins}1/`)).toEqual(notFound())
    expect(await ask('PATCH', `${plugins}1/`, { body: {} })).toEqual(notFound())
    expect(await ask('DELETE', `${plugins}1/`)).toEqual(notFound())
    expect(idsOf(await ask('GET', plugins))).toEqual([2])
    expect(simulator.world.plugin_configs.list().map(({ id }) => id)).toEqual([2])
  },
)

test('in the live profile a global plugin must be made local before it is deleted', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  simulator.world.plugins.add({ id: 1, is_global: true })
  simulator.world.plugin_configs.add({ id: 1, plugin: 1 })
  const detail = 'This plugin is marked as global! Make it local before uninstallation'

  expect(await ask('DELETE', `${plugins}1/`)).toEqual(invalid(null, 'invalid_input', detail))
  expect(simulator.world.counts).toMatchObject({ plugins: 1, plugin_configs: 1, activity: 0 })
  await ask('PATCH', `${plugins}1/`, { body: { is_global: false } })
  expect(await ask('DELETE', `${plugins}1/`)).toMatchObject({ status: 204 })
  expect(simulator.world.counts).toMatchObject({ plugins: 0, plugin_configs: 0, activity: 1 })
})
