import { expect, test } from 'vitest'
import type { Reply } from './support/client.ts'
import { acme, elsewhere, initech, neighbours, plugins } from './support/plugins.ts'
import { start } from './support/start.ts'

const old = { key: 'phx_old' }
const path = `${plugins}activity/`

/** The items that a page tells of. */
function itemsOf({ body }: Reply): string[] {
  return (body as { results: { item_id: string }[] }).results.map(({ item_id }) => item_id)
}

test("it is the activity of the user's current project, whatever organization the path names [§5.6:activity]", async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  const { activity, users } = simulator.world
  activity.create({ activity: 'installed', item_id: '1', project: 1 })
  activity.create({ activity: 'installed', item_id: '2', project: 2, organization: initech })
  activity.create({ activity: 'installed', item_id: '3', project: null })
  const noor = { key: 'phx_noor_old' }

  expect(itemsOf(await ask('GET', path, old))).toEqual(['1'])
  expect(itemsOf(await ask('GET', `${elsewhere}activity/`, old))).toEqual(['1'])
  expect(itemsOf(await ask('GET', `${elsewhere}activity/`, noor))).toEqual(['2'])
  users.update(1, { current_project: 2 })
  expect(itemsOf(await ask('GET', path, old))).toEqual(['2'])
})

test('what is done in another organization is noted under the current project [§5.6:activity] [§5.2:activity] [§5.5:delete]', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })

  await ask('POST', elsewhere, { body: { plugin_type: 'source' } })
  await ask('DELETE', `${elsewhere}1/`)

  expect(simulator.world.activity.list()).toMatchObject([
    { activity: 'installed', organization: initech, project: 1 },
    { activity: 'uninstalled', organization: initech, project: 1 },
  ])
})

test('a user without projects has no activity, and leaves none that others see [§5.6:activity]', async () => {
  const world = { ...neighbours(), projects: [] }
  const { ask, simulator } = await start({ world, profile: 'live' })

  await ask('POST', plugins, { body: { plugin_type: 'source' } })

  expect(simulator.world.activity.list()).toMatchObject([{ activity: 'installed', project: null }])
  const empty = { results: [], next: null, previous: null, total_count: 0 }
  expect(await ask('GET', path, old)).toEqual({ status: 200, body: empty })
})

test('only what was done to plugins and their configurations is told [§5.6:activity]', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  const scopes = ['PluginConfig', 'Annotation', 'FeatureFlag', 'Plugin', 'plugin']
  for (const [index, scope] of scopes.entries()) {
    simulator.world.activity.create({ scope, activity: 'enabled', item_id: String(index) })
  }

  expect(itemsOf(await ask('GET', path, old))).toEqual(['3', '0'])
})

test('installing and uninstalling are told with who did it [§5.6:activity] [§5.2:activity] [§5.5:delete]', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  await ask('POST', plugins, { body: { plugin_type: 'source', name: 'Hello' } })
  simulator.clock.set('2024-06-15T13:00:00.5Z')
  await ask('DELETE', `${plugins}1/`)
  simulator.world.activity.create({ activity: 'x', item_id: '', user: null, organization: acme })

  const told = await ask('GET', path, old)

  const scope = 'Plugin'
  const user = { first_name: 'Ada', email: 'ada@example.com' }
  const detail = { changes: null, trigger: null, name: 'Hello', short_id: null, type: null }
  const about = { user, scope, item_id: '1', detail }
  const by = { nobody: { user: null, activity: 'x', scope, item_id: '', detail: {} } }
  const late = '2024-06-15T13:00:00.500000Z'
  expect(told).toEqual({
    status: 200,
    body: {
      results: [
        { ...by.nobody, created_at: late },
        { ...about, activity: 'uninstalled', created_at: late },
        { ...about, activity: 'installed', created_at: '2024-06-15T12:00:00Z' },
      ],
      next: null,
      previous: null,
      total_count: 3,
    },
  })
})
