import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { bare, oldKey, plugins, catalogue as world } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const path = `${plugins}1/check_for_updates/`
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
      expect.soft(await ask('GET', path, oldKey)).toEqual(answered(profile, plugin))
    }
  },
)
