import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { bare, oldKey, plugins, catalogue as world } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const url = 'https://github.com/acme/hello'
const installed = {
  name: 'Hello',
  description: 'Greets',
  icon: null,
  config_schema: {},
  tag: '1.0.0',
  latest_tag: '1.5.0',
  capabilities: { methods: ['onEvent'] },
  metrics: { sent: 'sum' },
}
const source = { 'plugin.json': '{"name":"Hello"}', 'site.ts': '' }
const path = `${plugins}1/upgrade/`

const types = ['custom', 'repository', 'source', 'local', null] as const

test.each(types)(
  'by setting upgrade only changes the tags of a plugin of type %s',
  async (plugin_type) => {
    const settings = { 'plugins.upgrade.effect': 'tag_moves' } as const
    const { ask, simulator } = await start({ world, settings })
    simulator.world.plugins.add({ id: 1, ...installed, plugin_type, url, source })
    const changes = { name: 'Mine', tag: 'mine', description: 'Mine', is_global: true }

    const upgraded = await ask('POST', path, { body: changes })

    const body = { ...bare, ...installed, plugin_type, url, tag: '2.0.0', latest_tag: '2.0.0' }
    expect(upgraded).toEqual({ status: 200, body })
    expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body })
    expect(simulator.world.plugins.get(1)?.source).toEqual(source)
  },
)

const checkPath = `${plugins}1/check_for_updates/`
/** The documented profile returns the plugin, the live profile wraps it. */
const answered = (profile: (typeof profiles)[number], plugin: unknown) => ({
  status: 200,
  body: profile === 'live' ? { plugin } : plugin,
})

const unknown = [
  'https://github.com/acme/elsewhere',
  'https://github.com/acme/nothing-left',
  'https://github.com/acme/nothing-yet',
  'file:/srv/plugins/hello',
] as const

test.each(unknown)(
  'a plugin with the URL %s keeps its latest_tag, because the catalogue has no version of it',
  async (url) => {
    for (const profile of profiles) {
      const { ask, simulator } = await start({ world, profile })
      simulator.world.plugins.add({ id: 1, url, tag: '3', latest_tag: '4' })

      const plugin = { ...bare, url, tag: '3', latest_tag: '4' }
      expect.soft(await ask('GET', checkPath, oldKey)).toEqual(answered(profile, plugin))
    }
  },
)
