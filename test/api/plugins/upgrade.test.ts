import { expect, test } from 'vitest'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { invalid } from '../../support/api/errors.ts'
import { bare, legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const url = 'https://github.com/acme/hello'
const newest = {
  tag: '2.0.0',
  plugin_json: {
    name: 'Hello 2',
    description: 'Greets twice',
    icon: 'https://example.com/2.png',
    config: [{ key: 'host', name: 'Host', type: 'string' }],
    publicJobs: { again: { payload: {} } },
  },
  source: { 'plugin.json': '{"name":"Hello 2"}', 'index.ts': 'export const two = 2' },
}
const world: WorldJson = {
  ...neighbours(),
  repository: [
    {
      name: 'Hello',
      url,
      description: '',
      verified: true,
      maintainer: 'official',
      versions: [{ tag: '1.0.0', plugin_json: { name: 'Hello' }, source: {} }, newest],
    },
  ],
}
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

const remote = (['custom', 'repository', null, ''] as const).flatMap((plugin_type) =>
  (['documented', 'live'] as const).map((profile) => ({ plugin_type, profile })),
)

test.each(remote)(
  'in the profile $profile upgrading a plugin of type $plugin_type installs its newest version',
  async ({ plugin_type, profile }) => {
    const { ask, simulator } = await start({ world, profile })
    simulator.world.plugins.add({ id: 1, ...installed, plugin_type, url: `${url}?t=1`, source })

    const upgraded = await ask('POST', path, legacyKey)

    const body = {
      ...bare,
      ...installed,
      plugin_type,
      url,
      name: 'Hello 2',
      description: 'Greets twice',
      icon: 'https://example.com/2.png',
      config_schema: [{ key: 'host', name: 'Host', type: 'string' }],
      public_jobs: { again: { payload: {} } },
      tag: '2.0.0',
      latest_tag: '2.0.0',
    }
    expect(upgraded).toEqual({ status: 200, body })
    expect(await ask('GET', `${plugins}1/`, legacyKey)).toEqual({ status: 200, body })
    expect(simulator.world.plugins.get(1)?.source).toEqual(newest.source)
    expect(simulator.world.activity.count).toBe(0)
  },
)

const local = (['source', 'local'] as const).flatMap((plugin_type) =>
  (['documented', 'live'] as const).map((profile) => ({ plugin_type, profile })),
)

test.each(local)(
  'in the profile $profile upgrading a plugin of type $plugin_type changes nothing',
  async ({ plugin_type, profile }) => {
    const { ask, simulator } = await start({ world, profile })
    simulator.world.plugins.add({ id: 1, ...installed, plugin_type, url, source })
    const before = simulator.world.plugins.get(1)

    const upgraded = await ask('POST', path, legacyKey)

    expect(upgraded).toEqual({ status: 200, body: { ...bare, ...installed, plugin_type, url } })
    expect(simulator.world.plugins.get(1)).toEqual(before)
  },
)

test('in the live profile upgrade ignores the value of its body', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  simulator.world.plugins.add({ id: 1, ...installed, plugin_type: 'source' })
  const expected = { status: 200, body: { ...bare, ...installed, plugin_type: 'source' } }

  for (const options of [{ body: { name: [], is_global: 'maybe' } }, { body: ['x'] }]) {
    expect.soft(await ask('POST', path, { ...legacyKey, ...options })).toEqual(expected)
  }
})

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

test('in the documented profile upgrade validates its body first', async () => {
  const { ask, simulator } = await start({ world })
  simulator.world.plugins.add({ id: 1, ...installed, url })
  const parse = { raw: '{', headers: { 'content-type': 'application/json' } }

  const refused = await ask('POST', path, { body: { is_global: 'maybe' } })
  const malformed = await ask('POST', path, parse)

  expect(refused).toEqual(invalid('is_global', 'invalid_input', 'Must be a valid boolean.'))
  expect(malformed).toMatchObject({ status: 400, body: { code: 'parse_error' } })
  const expected = { status: 200, body: { ...bare, ...installed, url } }
  expect(await ask('GET', `${plugins}1/`)).toEqual(expected)
  expect(await ask('POST', path)).toMatchObject({ status: 200, body: { tag: '2.0.0' } })
})

test('a plugin that is not in the catalogue is not upgraded', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask, simulator } = await start({ world, profile })
    simulator.world.plugins.add({ id: 1, ...installed, url: `${url}-other`, source })
    const before = simulator.world.plugins.get(1)

    const upgraded = await ask('POST', path, legacyKey)

    expect
      .soft(upgraded)
      .toEqual({ status: 200, body: { ...bare, ...installed, url: `${url}-other` } })
    expect.soft(simulator.world.plugins.get(1)).toEqual(before)
  }
})

test('by setting upgrade changes nothing', async () => {
  const settings = { 'plugins.upgrade.effect': 'nothing' } as const
  const { ask, simulator } = await start({ world, settings })
  simulator.world.plugins.add({ id: 1, ...installed, url })

  const expected = { status: 200, body: { ...bare, ...installed, url } }
  expect(await ask('POST', path, { body: {} })).toEqual(expected)
})
