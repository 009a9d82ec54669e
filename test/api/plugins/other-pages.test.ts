import { expect, test } from 'vitest'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { invalid } from '../../support/api/errors.ts'
import { acme } from '../../support/api/paths.ts'
import { emptyWithOldKey, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const entry = { description: '', verified: true, maintainer: 'official' }
const world: WorldJson = {
  ...emptyWithOldKey,
  repository: [1, 2, 3].map((n) => ({
    name: `${n}`,
    url: `https://github.com/acme/${n}`,
    ...entry,
  })),
}
const settings: SettingOverrides = { 'plugins.other.body': 'envelope' }
const scopes: SettingOverrides = { 'plugins.other.scope': 'plugin_scopes' }

/** Three rows in each list. */
async function withThree(profile: 'documented' | 'live') {
  const { ask, simulator, origin } = await start({
    world,
    profile,
    settings: { ...settings, ...scopes },
  })
  for (const id of [1, 2, 3]) {
    simulator.world.plugins.add({
      ...{ id, url: `https://github.com/acme/${id}` },
      ...{ capabilities: { methods: ['onEvent'] } },
    })
    simulator.world.plugins.add({ id: id + 3 })
    simulator.world.plugin_configs.add({ id, plugin: id })
    simulator.world.activity.add({ id, activity: 'installed', item_id: String(id) })
  }
  return { ask, simulator, origin }
}

type Row = { id?: number; item_id?: string; name?: string } | number

const listed = [
  {
    name: 'activity',
    all: ['3', '2', '1'],
    word: (row: Row) => (row as { item_id: string }).item_id,
  },
  {
    name: 'exports_unsubscribe_configs',
    all: [1, 2, 3],
    word: (row: Row) => (row as { id: number }).id,
  },
  { name: 'repository', all: ['1', '2', '3'], word: (row: Row) => (row as { name: string }).name },
  { name: 'unused', all: [4, 5, 6], word: (row: Row) => row },
]

test.each(listed)('by setting $name is paginated like a list', async ({ name, all, word }) => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask, origin } = await withThree(profile)
    const path = `${plugins}${name}/`
    const page = async (query: string) => {
      const { status, body } = await ask('GET', `${path}${query}`)
      const { results, ...rest } = body as { results: Row[] }
      return { status, ...rest, results: results.map((row) => word(row)) }
    }
    const link = (query: string) => `${origin}${path}${query}`
    const shared = { status: 200, count: 3 }

    expect.soft(await page('')).toEqual({ ...shared, next: null, previous: null, results: all })
    expect.soft(await page('?limit=1&offset=1')).toEqual({
      ...shared,
      next: link('?limit=1&offset=2'),
      previous: link('?limit=1'),
      results: all.slice(1, 2),
    })
    expect.soft(await page('?limit=2')).toMatchObject({ next: link('?limit=2&offset=2') })
    expect.soft(await page('?offset=3')).toMatchObject({ next: null, results: [] })
    expect.soft(await page('?limit=x&offset=-1')).toMatchObject({ next: null, results: all })
  }
})

test.each(listed)(
  '$name reads limit and offset only if the response is a page',
  async ({ name }) => {
    const { ask, simulator } = await withThree('live')
    const refused = (attr: string) => invalid(attr, 'invalid_input', 'A valid integer is required.')
    const odd = ['limit', 'offset'].map((parameter) => [
      parameter,
      `${plugins}${name}/?${parameter}=x`,
    ])
    simulator.settings.set({ 'lists.limit.invalid': 'refused' })

    for (const [parameter, path] of odd as [string, string][])
      expect.soft(await ask('GET', path)).toEqual(refused(parameter))

    simulator.settings.set({ 'plugins.other.body': 'plugin' })
    const plain = await ask('GET', `${plugins}${name}/`)
    for (const [, path] of odd as [string, string][])
      expect.soft(await ask('GET', path)).toEqual(plain)
  },
)

test('the value `envelope` gives an empty page where `plugin` gives a 404', async () => {
  const { ask } = await start({ world: 'empty', settings })
  const empty = { status: 200, body: { count: 0, next: null, previous: null, results: [] } }

  for (const { name } of listed) {
    expect.soft(await ask('GET', `${plugins}${name}/`), name).toEqual(empty)
  }
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
  const { ask } = await start({
    world: { ...world, activity },
    settings: { ...settings, ...scopes },
  })

  const { body } = await ask('GET', `${plugins}activity/`)

  const { results } = body as { results: readonly { item_id: string }[] }
  expect(results.map(({ item_id }) => item_id)).toEqual(['3', '2', '4', '1'])
})
