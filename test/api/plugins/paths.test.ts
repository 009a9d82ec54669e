import { expect, test } from 'vitest'
import { forbidden, notAllowed, notFound, unsupported } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { initech } from '../../support/api/paths.ts'
import { bare, elsewhere, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/lanes/start.ts'

const current = '/api/organizations/@current/plugins/'

async function withOne(profile: 'documented' | 'live') {
  const client = await start({ world: neighbours(), profile })
  client.simulator.world.plugins.create({ id: 1 })
  client.simulator.world.plugins.create({ id: 2, organization: initech })
  return client
}

test('in the live profile @current is the organization of the current project', async () => {
  const { ask, simulator } = await withOne('live')

  expect(idsOf(await ask('GET', current))).toEqual([1])
  expect(idsOf(await ask('GET', current, { key: 'phx_noor' }))).toEqual([2])
  simulator.world.users.update(1, { current_project: 2 })
  expect(idsOf(await ask('GET', current))).toEqual([2])
  const created = await ask('POST', current, { body: { plugin_type: 'source' } })
  expect(created).toMatchObject({ status: 201, body: { id: 3, organization_id: initech } })
  expect(await ask('GET', `${current}1/`)).toEqual(notFound())
})

const odd = ['0', '-1', '99', 'x', '1x', 'NaN', '1e0', '0x1', '%20', '9'.repeat(30)]

test.each(odd)('no plugin has the id %s', async (id) => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await withOne(profile)

    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await ask(method, `${plugins}${id}/`), method).toEqual(notFound())
    }
    for (const path of ['check_for_updates', 'source']) {
      expect(await ask('GET', `${plugins}${id}/${path}/`, old(profile))).toEqual(notFound())
    }
    expect(await ask('PATCH', `${plugins}${id}/update_source/`, old(profile))).toEqual(notFound())
    expect(await ask('POST', `${plugins}${id}/upgrade/`, old(profile))).toEqual(notFound())
  }
})

function old(profile: string) {
  return profile === 'live' ? { key: 'phx_old' } : {}
}

const strange = [
  ['DELETE', '', false],
  ['PUT', '', false],
  ['PATCH', '', true],
  ['POST', '1/', false],
  ['POST', '1/check_for_updates/', false],
  ['PATCH', '1/source/', false],
  ['GET', '1/update_source/', false],
  ['GET', '1/upgrade/', false],
  ['POST', 'activity/', false],
  ['DELETE', 'unused/', false],
] as const

test.each(strange)('%s %s responds with 405', async (method, path, isExempt) => {
  const documented = await withOne('documented')
  const live = await withOne('live')
  const request = [method, `${plugins}${path}`] as const

  expect(await documented.ask(...request)).toEqual(notAllowed(method))
  expect(await live.ask(...request)).toEqual(isExempt ? notAllowed(method) : unsupported())
  expect(await live.ask(...request, { key: 'phx_old' })).toEqual(notAllowed(method))
})

test('PUT works like PATCH in the live profile, and responds with 405 in the documented profile', async () => {
  const documented = await withOne('documented')
  const live = await withOne('live')
  live.simulator.world.plugins.update(1, { name: 'Kept', tag: '1.0.0' })
  const request = ['PUT', `${plugins}1/`, { body: { tag: '2.0.0' } }] as const

  expect(await documented.ask(...request)).toEqual(notAllowed('PUT'))
  const body = { ...bare, name: 'Kept', tag: '2.0.0' }
  expect(await live.ask(...request)).toEqual({ status: 200, body })
  const key = live.simulator.keys.issue({ scopes: ['plugin:read'] })
  const missing = forbidden("API key missing required scope 'plugin:write'")
  expect(await live.ask('PUT', `${plugins}1/`, { key, body: {} })).toEqual(missing)
  expect(await live.ask('PUT', `${elsewhere}1/`, { body: {} })).toEqual(notFound())
})
