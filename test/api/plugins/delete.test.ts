import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { invalid, notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const gone = { status: 204, body: undefined }

test.each(profiles)('DELETE removes a plugin permanently, in the %s profile', async (profile) => {
  const client = await start({ world: neighbours(), profile })
  const { ask, simulator } = client
  simulator.world.plugins.add({ id: 1 })
  simulator.world.plugins.add({ id: 2 })

  const response = await client.send('DELETE', `${plugins}1/`)

  expect([response.status, await response.text()]).toEqual([204, ''])
  expect(response.headers.get('content-type')).toBeNull()
  expect(await ask('GET', `${plugins}1/`)).toEqual(notFound())
  expect(await ask('PATCH', `${plugins}1/`, { body: {} })).toEqual(notFound())
  expect(await ask('DELETE', `${plugins}1/`)).toEqual(notFound())
  expect(idsOf(await ask('GET', plugins))).toEqual([2])
  expect(simulator.world.plugins.list().map(({ id }) => id)).toEqual([2])
})

test.each(profiles)(
  'deleting a plugin deletes its configurations in all projects, in the %s profile',
  async (profile) => {
    const { ask, simulator } = await start({ world: neighbours(), profile })
    for (const id of [1, 2]) simulator.world.plugins.add({ id })
    simulator.world.plugin_configs.add({ id: 1, plugin: 1, project: 1 })
    simulator.world.plugin_configs.add({ id: 2, plugin: 2, project: 1 })
    simulator.world.plugin_configs.add({ id: 3, plugin: 1, project: 2 })
    simulator.world.plugin_configs.add({ id: 4, plugin: 1, enabled: false, deleted: true })

    expect(await ask('DELETE', `${plugins}1/`)).toEqual(gone)

    expect(simulator.world.plugin_configs.list().map(({ id }) => id)).toEqual([2])
  },
)

test.each(profiles)(
  'deleting a plugin logs an `uninstalled` activity, in the %s profile',
  async (profile) => {
    const { ask, simulator } = await start({ world: neighbours(), profile })
    simulator.world.plugins.add({ id: 1, name: 'Hello' })

    await ask('DELETE', `${plugins}1/`)

    expect(simulator.world.activity.list()).toEqual([
      {
        id: 1,
        user: 1,
        organization: acme,
        project: 1,
        activity: 'uninstalled',
        scope: 'Plugin',
        item_id: '1',
        detail: { changes: null, trigger: null, name: 'Hello', short_id: null, type: null },
        created_at: '2024-06-15T12:00:00Z',
      },
    ])
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
  expect(await ask('DELETE', `${plugins}1/`)).toEqual(gone)
  expect(simulator.world.counts).toMatchObject({ plugins: 0, plugin_configs: 0, activity: 1 })
})

test('in the documented profile a global plugin can be deleted', async () => {
  const { ask, simulator } = await start({ world: neighbours() })
  simulator.world.plugins.add({ id: 1, is_global: true })

  expect(await ask('DELETE', `${plugins}1/`)).toEqual(gone)
  expect(simulator.world.plugins.count).toBe(0)
})

test('plugins that the organization does not see cannot be deleted', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  simulator.world.plugins.add({ id: 1, organization: initech })

  expect(await ask('DELETE', `${plugins}1/`)).toEqual(notFound())
  expect(await ask('DELETE', `${plugins}2/`)).toEqual(notFound())
  expect(simulator.world.counts).toMatchObject({ plugins: 1, activity: 0 })
})
