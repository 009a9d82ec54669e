import { expect, test } from 'vitest'
import { crashed, invalid } from '../../support/api/errors.ts'
import { acme } from '../../support/api/paths.ts'
import { legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import type { Reply } from '../../support/transports/client.ts'
import { start } from '../../support/transports/start.ts'

const path = `${plugins}activity/`

/** The item ids of a page. */
function itemsOf({ body }: Reply): string[] {
  return (body as { results: { item_id: string }[] }).results.map(({ item_id }) => item_id)
}

test('the log has only entries about plugins and their configurations', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  const scopes = ['PluginConfig', 'Annotation', 'FeatureFlag', 'Plugin', 'plugin']
  for (const [index, scope] of scopes.entries()) {
    simulator.world.activity.add({ scope, activity: 'enabled', item_id: String(index) })
  }

  expect(itemsOf(await ask('GET', path, legacyKey))).toEqual(['3', '0'])
})

test('installing and uninstalling are logged with the user', async () => {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  await ask('POST', plugins, { body: { plugin_type: 'source', name: 'Hello' } })
  simulator.clock.set('2024-06-15T13:00:00.5Z')
  await ask('DELETE', `${plugins}1/`)
  simulator.world.activity.add({ activity: 'x', item_id: '', user: null, organization: acme })

  const log = await ask('GET', path, legacyKey)

  const scope = 'Plugin'
  const user = { first_name: 'Ada', email: 'ada@example.com' }
  const detail = { changes: null, trigger: null, name: 'Hello', short_id: null, type: null }
  const byAda = { user, scope, item_id: '1', detail }
  const anonymous = { user: null, activity: 'x', scope, item_id: '', detail: {} }
  const late = '2024-06-15T13:00:00.500000Z'
  expect(log).toEqual({
    status: 200,
    body: {
      results: [
        { ...anonymous, created_at: late },
        { ...byAda, activity: 'uninstalled', created_at: late },
        { ...byAda, activity: 'installed', created_at: '2024-06-15T12:00:00Z' },
      ],
      next: null,
      previous: null,
      total_count: 3,
    },
  })
})

interface Page {
  readonly results: readonly { readonly item_id: string }[]
  readonly next: string | null
  readonly previous: string | null
  readonly total_count: number
}

test('an entry is in the current project of the user', async () => {
  const { ask, simulator } = await start()
  simulator.world.users.update(1, { current_project: 2 })

  await ask('POST', `/api/organizations/${acme}/plugins/`, { body: { name: 'Mine' } })

  expect(simulator.world.activity.list().map(({ project }) => project)).toContain(2)
})

/** A number of entries in the first project, numbered by item id. */
async function withEntries(count: number) {
  const { ask, simulator, origin } = await start({ world: neighbours(), profile: 'live' })
  for (let id = 1; id <= count; id++) {
    const created_at = `2024-06-01T00:00:${String(id).padStart(2, '0')}Z`
    simulator.world.activity.add({ id, activity: 'installed', item_id: `${id}`, created_at })
  }
  const page = async (query = '', key = legacyKey) => {
    const { status, body } = await ask('GET', `${path}${query}`, key)
    const { results, ...rest } = body as Page
    return { status, items: results.map(({ item_id }) => Number(item_id)), ...rest }
  }
  return { ask, simulator, page, at: (query: string) => `${origin}${path}${query}` }
}

test('a page has ten entries, newest first', async () => {
  const { page, at } = await withEntries(12)

  const first = await page()
  const second = await page('?page=2')

  expect(first).toMatchObject({ status: 200, items: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3] })
  expect(first).toMatchObject({ next: at('?limit=10&page=2'), previous: null, total_count: 12 })
  expect(second).toMatchObject({ status: 200, items: [2, 1], next: null, total_count: 12 })
})

test('limit and page select the entries, and links lead to the neighbouring pages', async () => {
  const { page, at } = await withEntries(7)

  expect(await page('?limit=3&page=2')).toEqual({
    status: 200,
    items: [4, 3, 2],
    next: at('?limit=3&page=3'),
    previous: at('?limit=3&page=1'),
    total_count: 7,
  })
  expect(await page('?limit=3&page=1')).toMatchObject({
    items: [7, 6, 5],
    next: at('?limit=3&page=2'),
    previous: null,
  })
  expect(await page('?limit=3&page=3')).toMatchObject({
    items: [1],
    next: null,
    previous: at('?limit=3&page=2'),
  })
  expect(await page('?limit=7')).toMatchObject({ items: [7, 6, 5, 4, 3, 2, 1], next: null })
  expect(await page('?limit=1000')).toMatchObject({ items: [7, 6, 5, 4, 3, 2, 1], next: null })
})

const noIntegers = ['x', '', '1.5', '1e1', 'NaN', 'null']

test.each(noIntegers)('limit and page of "%s" crash', async (value) => {
  const { ask } = await withEntries(12)

  expect(await ask('GET', `${path}?limit=${value}`, legacyKey)).toEqual(crashed())
  expect(await ask('GET', `${path}?page=${value}`, legacyKey)).toEqual(crashed())
})

test.each(['0', '-1'])('limit and page of "%s" count as missing', async (value) => {
  const { page } = await withEntries(12)

  expect(await page(`?limit=${value}`)).toMatchObject({ status: 200, total_count: 12 })
  expect((await page(`?limit=${value}`)).items).toHaveLength(10)
  expect(await page(`?page=${value}`)).toEqual(await page('?page=1'))
})

test('the settings for limit apply to the log as to any list', async () => {
  const { ask, simulator, page } = await withEntries(59)
  for (let id = 60; id <= 120; id++)
    simulator.world.activity.add({ id, activity: 'installed', item_id: `${id}` })

  simulator.settings.set({ 'lists.limit.maximum': 100 })
  expect((await page('?limit=110')).items).toHaveLength(100)
  expect((await page('')).items).toHaveLength(10)

  simulator.settings.set({ 'lists.limit.invalid': 'refused' })
  const refusal = invalid('limit', 'invalid_input', 'A valid integer is required.')
  expect(await ask('GET', `${path}?limit=x`, legacyKey)).toEqual(refusal)
  expect(await page('?offset=x')).toMatchObject({ status: 200, total_count: 120 })
  simulator.settings.set({ 'plugins.other.body': 'envelope' })
  expect(await ask('GET', `${path}?limit=x`, legacyKey)).toEqual(refusal)
})

test('a page after the last one is empty, and an impossible one counts as missing', async () => {
  const { page } = await withEntries(3)

  expect(await page('?page=9')).toMatchObject({
    status: 200,
    items: [],
    next: null,
    total_count: 3,
  })
  expect((await page(`?page=${'9'.repeat(30)}`)).items).toEqual([3, 2, 1])
})
