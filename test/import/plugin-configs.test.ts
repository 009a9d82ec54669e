import { expect, test } from 'vitest'
import { journalExchange } from '../../src/import/read-journal.ts'
import { createSimulator, type SettingOverrides, type WorldJson } from '../../src/index.ts'
import { authorization } from '../support/api/headers.ts'
import { acme as organization } from '../support/api/paths.ts'
import { scenarioFromTraffic } from './derive.ts'

/** Derives a world from what a service with these settings responds, in which the requests replay whole. */
async function derive(settings: SettingOverrides, ...paths: readonly string[]) {
  const service = createSimulator({ settings })
  for (const path of paths) {
    await service.fetch(`/api/organizations/${path}`, { headers: authorization() })
  }
  const { scenario, warnings } = await scenarioFromTraffic(
    service.journal.find().map(journalExchange),
    { profile: 'documented', settings },
  )
  const { steps } = await createSimulator().run(scenario)
  expect(steps.map(({ outcome }) => outcome)).toEqual(paths.map(() => 'passed'))
  return { warnings, world: scenario.world as WorldJson }
}

const plugins = `${organization}/plugins`
const [unused, exported] = [`${plugins}/unused`, `${plugins}/exports_unsubscribe_configs`]

test.each(['specific', 'envelope', 'plugin'] as const)(
  'lists of unused and exporting plugins replay whole: %s',
  async (body) => {
    const settings = { 'plugins.other.body': body }

    for (const paths of [[unused], [exported], [exported, unused], [plugins, unused, exported]]) {
      await derive(settings, ...paths)
    }
  },
)

test('a configuration is as it was shown, and one that no response shows is assumed', async () => {
  const shown = await derive({ 'plugins.other.body': 'specific' }, exported)
  const assumed = await derive({ 'plugins.other.body': 'specific' }, plugins, unused)

  expect(shown.world.plugin_configs).toMatchObject([
    { id: 31, plugin: 21, project: 1, enabled: true, config: { region: 'eu-1' } },
  ])
  const row = { id: 1, plugin: 21, project: 1, enabled: true, order: 1, config: {} }
  expect(assumed.world.plugin_configs).toEqual([row])
})

test('an unused plugin that no list shows is made up', async () => {
  const { world, warnings } = await derive({ 'plugins.other.body': 'specific' }, unused)

  expect(world.plugins).toMatchObject([{ id: 22 }, { id: 23 }, { id: 24 }])
  expect(world.plugin_configs).toBeUndefined()
  expect(warnings).toEqual([
    'The content of plugins 22, 23, 24 is made up: they are only listed as unused.',
  ])
})

test('a page of unused plugins says nothing about the plugins after it', async () => {
  const { world } = await derive({ 'plugins.other.body': 'envelope' }, plugins, `${unused}?limit=1`)

  expect(world.plugins).toMatchObject([{ id: 21 }, { id: 22 }, { id: 23 }, { id: 24 }])
  expect(world.plugin_configs).toMatchObject([{ plugin: 21, enabled: true }])
})

test('plugins of @current are those of its organization, and none is made up', async () => {
  const { world, warnings } = await derive({}, '@current/plugins/?limit=1', '@current/plugins')

  expect(world.plugins?.map((row) => [row.id, row.organization])).toEqual(
    [21, 22, 23, 24].map((id) => [id, organization]),
  )
  expect(warnings).toEqual([])
})
