import { expect, test } from 'vitest'
import { invalid, neighbours, plugins } from './support/plugins.ts'
import { start } from './support/start.ts'

interface Page {
  readonly results: readonly { readonly item_id: string }[]
  readonly next: string | null
  readonly previous: string | null
  readonly total_count: number
}

const old = { key: 'phx_old' }
const path = `${plugins}activity/`

/** So many entries of the first project; the item tells which one it is. */
async function withEntries(count: number) {
  const { ask, simulator, origin } = await start({ world: neighbours(), profile: 'live' })
  for (let id = 1; id <= count; id++) {
    const created_at = `2024-06-01T00:00:${String(id).padStart(2, '0')}Z`
    simulator.world.activity.create({ id, activity: 'installed', item_id: `${id}`, created_at })
  }
  const page = async (query = '', key = old) => {
    const { status, body } = await ask('GET', `${path}${query}`, key)
    const { results, ...rest } = body as Page
    return { status, items: results.map(({ item_id }) => Number(item_id)), ...rest }
  }
  return { ask, simulator, page, at: (query: string) => `${origin}${path}${query}` }
}

test('a page has ten entries, the newest first [§5.6:activity]', async () => {
  const { page } = await withEntries(12)

  const first = await page()
  const second = await page('?page=2')

  expect(first).toMatchObject({ status: 200, items: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3] })
  expect(first).toMatchObject({ previous: null, total_count: 12 })
  expect(second).toMatchObject({ status: 200, items: [2, 1], next: null, total_count: 12 })
})

test('ten entries fill one page [§5.6:activity]', async () => {
  const { page } = await withEntries(10)

  expect(await page()).toMatchObject({ next: null, previous: null, total_count: 10 })
})

test('limit and page choose the entries, and links lead to the pages beside them [§5.6:activity]', async () => {
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

test('links keep other parameters and say the limit that took effect [§5.6:activity]', async () => {
  const { page } = await withEntries(12)

  const { next } = await page('?x=1')

  expect(Object.fromEntries(new URL(String(next)).searchParams)).toEqual({
    x: '1',
    limit: '10',
    page: '2',
  })
})

const odd = ['x', '', '0', '-1', '1.5', '1e1', 'NaN', 'null']

test.each(odd)(
  'limit and page of "%s" count as left out [§5.6:activity] [§5.6:crashes]',
  async (value) => {
    const { page } = await withEntries(12)

    expect(await page(`?limit=${value}`)).toMatchObject({ status: 200, total_count: 12 })
    expect((await page(`?limit=${value}`)).items).toHaveLength(10)
    expect(await page(`?page=${value}`)).toMatchObject({ status: 200, previous: null })
    expect((await page(`?page=${value}`)).items[0]).toBe(12)
  },
)

test('any limit is taken, and a page that no list has counts as left out [§5.6:activity]', async () => {
  const { page } = await withEntries(12)
  const nines = '9'.repeat(30)

  expect((await page(`?limit=${nines}`)).items).toHaveLength(12)
  expect((await page(`?page=${nines}`)).items[0]).toBe(12)
})

test('policies on limit reach the log as they reach any list', async () => {
  const { ask, simulator, page } = await withEntries(59)
  for (let id = 60; id <= 120; id++)
    simulator.world.activity.create({ id, activity: 'installed', item_id: `${id}` })

  simulator.policies.set({ 'lists.limit.maximum': 100 })
  expect((await page('?limit=110')).items).toHaveLength(100)
  expect((await page('')).items).toHaveLength(10)

  simulator.policies.set({ 'lists.limit.invalid': 'refused' })
  const refused = invalid('limit', 'invalid_input', 'A valid integer is required.')
  expect(await ask('GET', `${path}?limit=x`, old)).toEqual(refused)
  expect(await page('?offset=x')).toMatchObject({ status: 200, total_count: 120 })
  simulator.policies.set({ 'plugins.activity.body': 'envelope' })
  expect(await ask('GET', `${path}?limit=x`, old)).toEqual(refused)
})

test('a page after the last one is empty [§5.6:activity]', async () => {
  const { page } = await withEntries(3)

  expect(await page('?page=9')).toMatchObject({
    status: 200,
    items: [],
    next: null,
    total_count: 3,
  })
  const none = await withEntries(0)
  expect(await none.page()).toEqual({
    status: 200,
    items: [],
    next: null,
    previous: null,
    total_count: 0,
  })
})
