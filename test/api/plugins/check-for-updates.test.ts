import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { crashed } from '../../support/api/errors.ts'
import { bare, legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const url = 'https://github.com/acme/hello'
const listed = { name: 'Hello', description: '', verified: true, maintainer: 'official' }
const version = (tag: string) => ({ tag, plugin_json: { name: `Hello ${tag}` }, source: {} })
const world: WorldJson = {
  ...neighbours(),
  repository: [
    { ...listed, url, versions: [version('1.0.0'), version('1.1.0'), version('0.9.0')] },
    { ...listed, url: 'https://github.com/acme/without', versions: [] },
    { ...listed, url: 'https://github.com/acme/untold' },
  ],
}
const path = `${plugins}1/check_for_updates/`
/** The documented profile returns the plugin, the live profile wraps it. */
const answered = (profile: (typeof profiles)[number], plugin: unknown) => ({
  status: 200,
  body: profile === 'live' ? { plugin } : plugin,
})

test.each(profiles)(
  'only latest_tag is set to the newest version, in the %s profile',
  async (profile) => {
    const { ask, simulator } = await start({ world, profile })
    const source = { 'index.ts': '' }
    const stored = `${url}?private_token=s3cr3t`
    simulator.world.plugins.add({ id: 1, name: 'Mine', url: stored, tag: '1.0.0', source })

    const checked = await ask('GET', path, legacyKey)

    const plugin = { ...bare, name: 'Mine', url, tag: '1.0.0', latest_tag: '0.9.0' }
    expect(checked).toEqual(answered(profile, plugin))
    expect(await ask('GET', `${plugins}1/`, legacyKey)).toEqual({ status: 200, body: plugin })
    expect(await ask('GET', path, legacyKey)).toEqual(checked)
    expect(simulator.world.plugins.get(1)?.source).toEqual(source)
    expect(simulator.world.activity.count).toBe(0)
  },
)

const unknown = [
  'https://github.com/acme/elsewhere',
  'https://github.com/acme/without',
  'https://github.com/acme/untold',
  'file:/srv/plugins/hello',
] as const

test.each(unknown)(
  'a plugin with the URL %s keeps its latest_tag, because the catalogue has no version of it',
  async (url) => {
    for (const profile of profiles) {
      const { ask, simulator } = await start({ world, profile })
      simulator.world.plugins.add({ id: 1, url, tag: '3', latest_tag: '4' })

      const plugin = { ...bare, url, tag: '3', latest_tag: '4' }
      expect.soft(await ask('GET', path, legacyKey)).toEqual(answered(profile, plugin))
    }
  },
)

test('a plugin without a URL has no versions in the documented profile', async () => {
  const { ask, simulator } = await start({ world })
  simulator.world.plugins.add({ id: 1, latest_tag: '4' })

  expect(await ask('GET', path)).toEqual({ status: 200, body: { ...bare, latest_tag: '4' } })
})

test('in the live profile the check of a plugin without a URL crashes', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  simulator.world.plugins.add({ id: 1, latest_tag: '4' })

  expect(await ask('GET', path, legacyKey)).toEqual(crashed())
  expect(simulator.world.plugins.get(1)).toMatchObject({ latest_tag: '4' })
})
