import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { profiles } from '../../src/settings/profiles.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { idsOf } from '../support/api/page.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

/** A world in which each of the three lists has one row more than a default page. */
function worldWithFullPages(): WorldJson {
  const [annotation] = defaultWorld.annotations
  const [plugin] = defaultWorld.plugins
  const rows = (count: number, row: unknown) =>
    Array.from({ length: count }, (_, index) => ({ ...(row as object), id: index + 1 }))
  return {
    ...defaultWorld,
    projects: rows(101, { organization: acme, name: 'One of many' }),
    annotations: rows(1001, annotation),
    plugins: rows(101, { ...plugin, url: null }),
    plugin_configs: [],
  } as unknown as WorldJson
}

const lists = [
  { path: annotationsPath, limit: 1000 },
  { path: `/api/organizations/${acme}/plugins/`, limit: 100 },
  { path: '/api/projects/', limit: 100 },
]

test.each(lists)(
  '$path returns $limit rows by default, and any number with limit',
  async ({ path, limit }) => {
    const { ask, origin } = await start({ world: worldWithFullPages() })

    const first = await ask('GET', path)
    const rest = await ask('GET', `${path}?offset=${limit}`)
    const all = await ask('GET', `${path}?limit=100000`)
    const behind = await ask('GET', `${path}?offset=9223372036854775807&limit=+5`)

    expect(first).toMatchObject({
      status: 200,
      body: {
        count: limit + 1,
        next: `${origin}${path}?limit=${limit}&offset=${limit}`,
        previous: null,
      },
    })
    expect(idsOf(first)).toHaveLength(limit)
    expect(rest).toMatchObject({
      body: { next: null, previous: `${origin}${path}?limit=${limit}` },
    })
    expect(idsOf(rest)).toHaveLength(1)
    expect(all).toMatchObject({ body: { count: limit + 1, next: null, previous: null } })
    expect(idsOf(all)).toEqual([...idsOf(first), ...idsOf(rest)])
    const before = `${origin}${path}?limit=5&offset=9223372036854775802`
    expect(behind).toMatchObject({ body: { next: null, previous: before, results: [] } })
  },
)

test.each(lists)('a maximum limits the default of $path, too', async ({ path }) => {
  const { ask } = await start({
    world: worldWithFullPages(),
    settings: {
      'lists.limit.maximum': '100',
      'plugins.list.limit.default': 1000,
      'projects.list.limit.default': 1000,
    },
  })

  expect(idsOf(await ask('GET', path))).toHaveLength(100)
})

type QueryResult = readonly [query: string, ids: readonly number[]]

/** A query, and the rows that it returns. Project 1 has six: 5, 4, 1, 3, 8, 2. */
const queries: readonly QueryResult[] = [
  ['limit=2', [5, 4]],
  ['limit=2&offset=4', [8, 2]],
  ['limit=4&offset=4', [8, 2]],
  ['limit=6', [5, 4, 1, 3, 8, 2]],
  ['offset=5', [2]],
  ['offset=6', []],
  ['offset=7&limit=1', []],
  ...[
    ...['0', '-1', '', '+', '1.5', '2.0', '1e3', 'two', 'null', '0x2', '1__0', '_1', '1_', '1,0'],
    ...['%00', '2%00', '%1C2', '--2', '٢٣x'],
  ].map((text): QueryResult => [`limit=${text}`, [5, 4, 1, 3, 8, 2]]),
  ...['-1', '', '+', '1.5', 'one', 'null', '-0', '1%202'].map(
    (text): QueryResult => [`offset=${text}&limit=2`, [5, 4]],
  ),
  ['limit=%2B2', [5, 4]],
  ['limit=+2', [5, 4]],
  ['limit=%202%0A', [5, 4]],
  ['limit=02', [5, 4]],
  ['limit=0_2', [5, 4]],
  ['limit=2&offset=%2B1', [4, 1]],
  ['limit=2&offset=0_1', [4, 1]],
  ['limit=1&limit=2', [5, 4]],
  ['limit=2&limit=0', [5, 4, 1, 3, 8, 2]],
  ['limit=1&offset=1&offset=2', [1]],
  ['Limit=2&OFFSET=1', [5, 4, 1, 3, 8, 2]],
  // The first four are parsed in another way than the usual queries above.
  ['limit=1&limit', [5, 4, 1, 3, 8, 2]],
  ['limit&limit=1', [5]],
  ['&limit=1&&', [5]],
  ['limit=1&other=a%20b', [5]],
  ['xlimit=1&limit=2', [5, 4]],
  ['limit=2&x=limit=1', [5, 4]],
  ['limit=99999999999999999999', [5, 4, 1, 3, 8, 2]],
  ['offset=99999999999999999999', []],
]

test.each(profiles)('in %s limit and offset select the rows of a page', async (profile) => {
  const { ask } = await start({ profile })

  for (const [query, expected] of queries) {
    const page = await ask('GET', `${annotationsPath}?${query}`)
    expect.soft(page, query).toMatchObject({ status: 200, body: { count: 6 } })
    expect.soft(idsOf(page), query).toEqual(expected)
  }
})
