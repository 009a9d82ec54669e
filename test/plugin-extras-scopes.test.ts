import { expect, test } from 'vitest'
import type { PolicyOverrides } from '../src/policies/settings.ts'
import { forbidden, neighbours, plugins, unsupported } from './support/plugins.ts'
import { start } from './support/start.ts'

const extras = [
  { method: 'GET', name: 'check_for_updates', path: '1/check_for_updates/', scope: 'plugin:read' },
  { method: 'GET', name: 'source', path: '1/source/', scope: 'plugin:read' },
  { method: 'PATCH', name: 'update_source', path: '1/update_source/', scope: 'plugin:write' },
  { method: 'POST', name: 'upgrade', path: '1/upgrade/', scope: 'plugin:write' },
  { method: 'GET', name: 'activity', path: 'activity/', scope: 'plugin:read' },
  {
    method: 'GET',
    name: 'exports_unsubscribe_configs',
    path: 'exports_unsubscribe_configs/',
    scope: 'plugin:read',
  },
  { method: 'GET', name: 'repository', path: 'repository/', scope: 'plugin:read' },
  { method: 'GET', name: 'unused', path: 'unused/', scope: 'plugin:read' },
] as const

const missing = (scope: string) => forbidden(`API key missing required scope '${scope}'`)

async function withOne(profile: 'documented' | 'live', policies: PolicyOverrides = {}) {
  const world = { ...neighbours(), repository: [catalogued] }
  const { ask, simulator } = await start({ world, profile, policies })
  const { url } = catalogued
  simulator.world.plugins.create({ id: 1, url, capabilities: { methods: ['onEvent'] } })
  simulator.world.plugin_configs.create({ plugin: 1, enabled: true })
  simulator.world.plugins.create({ id: 2 })
  return { ask, issue: (scopes: string[] | null) => simulator.keys.issue({ scopes }) }
}

const catalogued = {
  name: 'Hello',
  url: 'https://github.com/acme/hello',
  description: '',
  verified: true,
  maintainer: 'official',
}

test.each(extras)(
  '$name refuses every key that has scopes in the live service [§5.6:scopes] [§1:no-scope-declared]',
  async ({ method, path }) => {
    const { ask, issue } = await withOne('live')

    for (const scopes of [
      ['*'],
      ['plugin:read', 'plugin:write'],
      ['project:read'],
      ['a:write', '*'],
    ]) {
      const answer = await ask(method, `${plugins}${path}`, { key: issue(scopes) })
      expect(answer, scopes.join()).toEqual(unsupported)
    }
    for (const scopes of [null, []]) {
      const answer = await ask(method, `${plugins}${path}`, { key: issue(scopes) })
      expect(answer.status, String(scopes)).toBe(200)
    }
  },
)

test.each(extras)(
  '$name is refused before its body or its plugin is looked at [§5.6:scopes] [§1:no-scope-declared]',
  async ({ method, path }) => {
    const { ask } = await withOne('live')
    const raw = method === 'GET' ? {} : { raw: '{', headers: { 'content-type': 'text/plain' } }

    const answer = await ask(method, `${plugins}${path.replace('1/', '9/')}`, raw)

    expect(answer).toEqual(unsupported)
  },
)

test.each(extras)('$name asks for $scope in the documented service', async (extra) => {
  const { method, path, scope } = extra
  const { ask, issue } = await withOne('documented')
  const other = scope === 'plugin:read' ? 'plugin:write' : 'plugin:read'
  const asking = (scopes: string[] | null) =>
    ask(method, `${plugins}${path}`, { key: issue(scopes), ...(method !== 'GET' && { body: {} }) })

  for (const scopes of [[scope], ['*'], ['annotation:read', scope], null]) {
    expect((await asking(scopes)).status, String(scopes)).toBe(200)
  }
  for (const scopes of [[other], [], ['annotation:read', 'project:write']]) {
    expect(await asking(scopes), scopes.join()).toEqual(missing(scope))
  }
})

test.each(extras)(
  '$name takes any key, or none with scopes, by policy [§5.6:scopes]',
  async ({ method, name, path, scope }) => {
    const policy = `plugins.${name}.scope`
    const open = await withOne('documented', { [policy]: 'any_key' })
    const closed = await withOne('documented', { [policy]: 'refused' })
    const live = await withOne('live', { [policy]: scope })
    const asked = [method, `${plugins}${path}`] as const

    expect((await open.ask(...asked, { key: open.issue([]) })).status).toBe(200)
    expect(await closed.ask(...asked, { key: closed.issue(['*', scope]) })).toEqual(unsupported)
    expect((await closed.ask(...asked, { key: closed.issue(null) })).status).toBe(200)
    expect((await live.ask(...asked, { key: live.issue([scope]) })).status).toBe(200)
    const annotations = live.issue(['annotation:write'])
    expect(await live.ask(...asked, { key: annotations })).toEqual(missing(scope))
  },
)
