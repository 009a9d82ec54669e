import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { acme } from '../../support/api/paths.ts'
import { emptyWithOldKey, oldKey, plugins } from '../../support/api/plugins.ts'
import type { Reply } from '../../support/transports/client.ts'
import { start } from '../../support/transports/start.ts'

const path = `${plugins}activity/`

/** The item ids of a page. */
function itemsOf({ body }: Reply): string[] {
  return (body as { results: { item_id: string }[] }).results.map(({ item_id }) => item_id)
}

test('the log has only entries about plugins and their configurations', async () => {
  const { ask, simulator } = await start({ world: emptyWithOldKey, profile: 'live' })
  const scopes = ['PluginConfig', 'Annotation', 'FeatureFlag', 'Plugin', 'plugin']
  for (const [index, scope] of scopes.entries()) {
    simulator.world.activity.add({ scope, activity: 'enabled', item_id: String(index) })
  }

  expect(itemsOf(await ask('GET', path, oldKey))).toEqual(['3', '0'])
})

interface Page {
  readonly results: readonly { readonly item_id: string }[]
  readonly next: string | null
  readonly previous: string | null
  readonly total_count: number
}

/** A number of entries in the first project, numbered by item id. */
async function withEntries(count: number) {
  const { ask, simulator, origin } = await start({ world: emptyWithOldKey, profile: 'live' })
  for (let id = 1; id <= count; id++) {
    const created_at = `2024-06-01T00:00:${String(id).padStart(2, '0')}Z`
    simulator.world.activity.add({ id, activity: 'installed', item_id: `${id}`, created_at })
  }
  const page = async (query = '', key = oldKey) => {
    const { status, body } = await ask('GET', `${path}${query}`, key)
    const { results, ...rest } = body as Page
    return { status, items: results.map(({ item_id }) => Number(item_id)), ...rest }
  }
  return { ask, simulator, page, at: (query: string) => `${origin}${path}${query}` }
}

test('the settings for limit apply to the log as to any list', async () => {
  const { ask, simulator, page } = await withEntries(59)
  for (let id = 60; id <= 120; id++)
    simulator.world.activity.add({ id, activity: 'installed', item_id: `${id}` })

  simulator.settings.set({ 'lists.limit.maximum': 100 })
  expect((await page('?limit=110')).items).toHaveLength(100)
  expect((await page('')).items).toHaveLength(10)

  simulator.settings.set({ 'lists.limit.invalid': 'refused' })
  const refusal = invalid('limit', 'invalid_input', 'A valid integer is required.')
  expect(await ask('GET', `${path}?limit=x`, oldKey)).toEqual(refusal)
  expect(await page('?offset=x')).toMatchObject({ status: 200, total_count: 120 })
})

test('the newest activity comes first, also within a millisecond', async () => {
  const times = ['2024-06-01T12:00:00.000100Z', '2024-06-01T12:00:00.000300Z']
  const activity = [0, 1, 1, 0].map((time, at) => ({
    id: at + 1,
    activity: 'installed',
    scope: 'Plugin',
    item_id: `${at + 1}`,
    created_at: times[time] as string,
    user: 1,
    organization: acme,
    project: 1,
  }))
  const { ask } = await start({ world: { ...emptyWithOldKey, activity }, profile: 'live' })

  expect(itemsOf(await ask('GET', path, oldKey))).toEqual(['3', '2', '4', '1'])
})

test('only a page before others has a link to the next one, one after the last is empty, and an impossible one counts as missing', async () => {
  const { page, at } = await withEntries(4)

  expect(await page('?limit=2')).toMatchObject({ items: [4, 3], next: at('?limit=2&page=2') })
  expect(await page('?limit=2&page=2')).toMatchObject({ items: [2, 1], next: null })
  const empty = { status: 200, items: [], next: null, total_count: 4 }
  expect(await page('?page=9')).toMatchObject(empty)
  expect((await page(`?page=${'9'.repeat(30)}`)).items).toEqual([4, 3, 2, 1])
})
