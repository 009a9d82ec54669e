import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { bare, elsewhere, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/lanes/start.ts'

const managed = forbidden('This plugin installation is managed by another organization')
const generic = forbidden()
const url = 'https://github.com/acme/shared'
const shared = { ...bare, id: 2, name: 'Shared', url, is_global: true }

/** Acme owns plugin 1 and the global plugin 2; Initech owns plugin 3. Ada belongs to both, Noor only to Initech. */
async function withShared(profile: 'documented' | 'live') {
  const client = await start({ world: neighbours(), profile })
  const { simulator, ask } = client
  simulator.world.plugins.create({ id: 1 })
  simulator.world.plugins.create({ id: 2, name: 'Shared', url, is_global: true })
  simulator.world.plugins.create({ id: 3, organization: initech })
  return { simulator, ask, send: client.send.bind(client) }
}

test('in the live profile every organization sees a global plugin', async () => {
  const { ask } = await withShared('live')

  for (const key of ['phx_all', 'phx_noor']) {
    const list = await ask('GET', elsewhere, { key })
    expect(list).toMatchObject({ status: 200, body: { count: 2, next: null } })
    expect(idsOf(list)).toEqual([2, 3])
    expect(await ask('GET', `${elsewhere}2/`, { key })).toEqual({ status: 200, body: shared })
  }
  expect(idsOf(await ask('GET', plugins))).toEqual([1, 2])
})

test('an organization does not see local plugins of other organizations', async () => {
  const { ask } = await withShared('live')

  for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
    expect(await ask(method, `${elsewhere}1/`), method).toEqual(notFound())
    expect(await ask(method, `${plugins}3/`), method).toEqual(notFound())
  }
})

test('in the documented profile an organization sees only its own plugins', async () => {
  const { ask, simulator } = await withShared('documented')

  const list = await ask('GET', elsewhere)
  expect(list).toMatchObject({ status: 200, body: { count: 1 } })
  expect(idsOf(list)).toEqual([3])
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    expect(await ask(method, `${elsewhere}2/`), method).toEqual(notFound())
  }
  expect(idsOf(await ask('GET', plugins))).toEqual([1, 2])
  expect(simulator.world.plugins.count).toBe(3)
})

const changes = [
  ['PATCH', '2/', { name: 'Mine' }],
  ['PUT', '2/', { name: 'Mine' }],
  ['PATCH', '2/update_source/', { 'index.ts': '' }],
  ['POST', '2/upgrade/', {}],
  ['DELETE', '2/', undefined],
] as const

test.each(changes)(
  '%s %s is allowed only for the owner of a global plugin',
  async (method, path, body) => {
    const { ask, simulator } = await withShared('live')
    const sent = body ? { body } : {}
    const before = simulator.world.toJSON()

    const ada = await ask(method, `${elsewhere}${path}`, { key: 'phx_old', ...sent })
    const noor = await ask(method, `${elsewhere}${path}`, { key: 'phx_noor_old', ...sent })

    expect(ada).toEqual(managed)
    expect(noor).toEqual(generic)
    expect(simulator.world.toJSON()).toEqual(before)
  },
)

test('the owner of a plugin is checked before the fields of the body', async () => {
  const { ask } = await withShared('live')

  expect(await ask('PATCH', `${elsewhere}2/`, { body: { name: [] } })).toEqual(managed)
})

test('only the owner can check for updates and read the source; others get a 404', async () => {
  const { ask } = await withShared('live')

  for (const path of ['2/check_for_updates/', '2/source/']) {
    expect(await ask('GET', `${elsewhere}${path}`, { key: 'phx_old' })).toEqual(notFound())
    expect((await ask('GET', `${plugins}${path}`, { key: 'phx_old' })).status).toBe(200)
  }
})

test('changing is_global shows and hides a plugin in other organizations at once', async () => {
  const { ask } = await withShared('live')

  await ask('PATCH', `${plugins}1/`, { body: { is_global: true } })
  await ask('PATCH', `${plugins}2/`, { body: { is_global: false } })

  expect(idsOf(await ask('GET', elsewhere))).toEqual([1, 3])
  expect(await ask('GET', `${elsewhere}2/`)).toEqual(notFound())
  expect(idsOf(await ask('GET', plugins))).toEqual([1, 2])
})

test('a plugin has the current name of its organization', async () => {
  const { ask, simulator } = await withShared('live')
  await ask('GET', plugins)
  await ask('GET', `${elsewhere}2/`)

  simulator.world.organizations.update(acme, { name: 'Acme & Söhne' })

  const body = { ...shared, organization_name: 'Acme & Söhne' }
  expect(await ask('GET', `${elsewhere}2/`)).toEqual({ status: 200, body })
  expect(await ask('GET', elsewhere)).toEqual({
    status: 200,
    body: {
      count: 2,
      next: null,
      previous: null,
      results: [body, { ...bare, id: 3, organization_id: initech, organization_name: 'Initech' }],
    },
  })
})
