import { expect, test } from 'vitest'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { readHar } from '../../src/import/read-har.ts'
import { createSimulator, type SettingOverrides, type WorldJson } from '../../src/index.ts'
import { parseScenario } from '../../src/scenarios/format/check-scenario.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { authorization } from '../support/api/headers.ts'
import { acme as organization } from '../support/api/paths.ts'

// Lists that follow from no other request, and the plugins that they name.

/** Imports what a service with these settings responds. Each request replays as it was recorded. */
async function importPaths(settings: SettingOverrides, ...paths: readonly string[]) {
  const service = createSimulator({ settings })
  for (const path of paths) {
    await service.fetch(`/api/organizations/${path}`, { headers: authorization() })
  }
  const { exchanges } = readHar(service.journal.toHar(), 'a.har', undefined, {})
  const imported = await importExchanges(exchanges, {})
  const { scenario: replaying, sentences } = await toReplaying(imported, imported.scenario)
  const scenario = parseScenario(replaying)
  const { passed } = await createSimulator().run(scenario)
  expect(passed).toBe(true)
  return { warnings: sentences, scenario, world: scenario.world as WorldJson }
}

const plugins = `${organization}/plugins`
const [unused, exported, activity] = ['unused', 'exports_unsubscribe_configs', 'activity'].map(
  (name) => `${plugins}/${name}`,
) as [string, string, string]

test.each(['specific', 'plugin'] as const)(
  'a list that the world would answer otherwise is a fault, and its form shows the setting: %s',
  async (body) => {
    const settings = { 'plugins.other.body': body }
    const { scenario } = await importPaths(settings, plugins, unused, exported, activity)

    const { profile, settings: shown } = scenario
    expect(resolveSettings(profile, shown)['plugins.other.body']).toBe(body)
  },
)

test('plugins of @current are those of its organization, and none is made up', async () => {
  const { world, warnings } = await importPaths({}, '@current/plugins/?limit=1', '@current/plugins')

  expect(world.plugins?.map((row) => [row.id, row.organization])).toEqual(
    [21, 22, 23, 24].map((id) => [id, organization]),
  )
  expect(warnings).toEqual([])
})
