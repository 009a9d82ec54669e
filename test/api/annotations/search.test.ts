import { expect, test } from 'vitest'
import { notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { type Started, start } from '../../support/transports/start.ts'

/** Starts the world `empty` with annotations of these contents, with ids from 1. */
async function startWith(...contents: readonly (string | null)[]): Promise<Started> {
  const client = await start({ world: 'empty' })
  for (const content of contents) client.simulator.world.annotations.add({ content })
  return client
}

type Search = readonly [search: string, contents: readonly (string | null)[], ids: number[]]

const searches: readonly Search[] = [
  ['release', ['Release 1.0', 'PRERELEASE', 'Reléase', 'Lease'], [2, 1]],
  ['RELEASE', ['release', 'Release', 'rel ease'], [2, 1]],
  ['two one', ['one, two', 'one', 'two', 'twone one'], [4, 1]],
  ['one,two', ['one and two', 'one,two', 'one'], [2, 1]],
  [' , one ,, two\t', ['one two', 'one'], [1]],
  ['a\u3000b\u2028c', ['cab', 'ab'], [1]],
  ['100%', ['100% sure', '1000', '100 percent'], [1]],
  ['a_b', ['a_b', 'axb'], [1]],
  ['c:\\temp', ['C:\\Temp', 'C:/Temp'], [1]],
  ['.*', ['a.*b', 'anything'], [1]],
  ['"one two"', ['"one two"', 'one two', '"one'], [1]],
  ["'one", ["'one'", 'one'], [1]],
  ['\0re\0lease', ['release', 're lease'], [1]],
  ['é', ['CAFÉ', 'Cafe'], [1]],
  ['ss', ['Straße', 'STRASSE'], [2]],
  ['ß', ['Straße', 'STRASSE'], [1]],
  ['🦔', ['A 🦔', '🦊'], [1]],
  ['null', [null, 'nullable'], [2]],
  ['none', ['one', null, ''], []],
  ['one,one one', ['one', 'on'], [1]],
  ['e lease Release', ['Release', 'lease e', 'prerelease'], [3, 1]],
  ['', ['one', null, ''], [3, 2, 1]],
  [' , ', ['one', null, ''], [3, 2, 1]],
  ['\0', ['one', null, ''], [3, 2, 1]],
]

test.each(searches)('searching for %j in %j finds the rows %j', async (search, contents, ids) => {
  const { ask } = await startWith(...contents)

  const page = await ask('GET', `${annotationsPath}?search=${encodeURIComponent(search)}`)

  expect(page).toMatchObject({ status: 200, body: { count: ids.length } })
  expect(idsOf(page)).toEqual(ids)
})

test('a search looks only at content, and finds organization-wide annotations too', async () => {
  const { ask } = await start()

  for (const word of ['USR', 'dashboard_item', 'Signups', 'Ada', 'AbCd1234']) {
    expect.soft(await ask('GET', `${annotationsPath}?search=${word}`), word).toMatchObject({
      body: { count: 0 },
    })
  }
  expect(idsOf(await ask('GET', `${annotationsPath}?search=price`))).toEqual([])
  expect(idsOf(await ask('GET', `${annotationsPath}?search=pricing`))).toEqual([3])
})

test('pages of a search count the matches, and the last of several search parameters wins', async () => {
  const { ask, origin } = await start()

  const page = await ask('GET', `${annotationsPath}?search=release&search=spring+campaign&limit=1`)

  expect(page).toMatchObject({
    status: 200,
    body: {
      count: 2,
      next: `${origin}${annotationsPath}?limit=1&offset=1&search=release&search=spring+campaign`,
      previous: null,
      results: [{ id: 8 }],
    },
  })
})

test('in the live profile the search parameter also filters GET, PATCH and PUT of one annotation', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const before = simulator.world.annotations.list()

  expect(await ask('GET', `${annotationsPath}1/?search=zzz`)).toEqual(notFound())
  expect(await ask('GET', `${annotationsPath}1/?search=release+zzz`)).toEqual(notFound())
  expect(await ask('PATCH', `${annotationsPath}1/?search=zzz`, { body: {} })).toEqual(notFound())
  expect(await ask('PUT', `${annotationsPath}1/?search=zzz`, { body: {} })).toEqual(notFound())
  expect(simulator.world.annotations.list()).toEqual(before)
  expect(await ask('GET', `${annotationsPath}1/?search=1.0,RELEASE`)).toMatchObject({ status: 200 })
  expect(await ask('PATCH', `${annotationsPath}6/?search=relaese`, { body: {} })).toMatchObject({
    status: 200,
  })
  expect(await ask('GET', `${annotationsPath}1/?search=`)).toMatchObject({ status: 200 })
  simulator.world.annotations.update(1, { content: null })
  expect(await ask('GET', `${annotationsPath}1/?search=null`)).toEqual(notFound())
})

test('in the documented profile the search parameter filters only the list', async () => {
  const { ask } = await start()

  expect(await ask('GET', `${annotationsPath}1/?search=zzz`)).toMatchObject({
    status: 200,
    body: { id: 1 },
  })
  const changed = await ask('PATCH', `${annotationsPath}1/?search=zzz`, {
    body: { content: 'Found' },
  })
  expect(changed).toMatchObject({ status: 200, body: { content: 'Found' } })
})

const filters = [
  ...'scope=project date_from=2024-06-10 date_to=2000-01-01 is_emoji=true'.split(' '),
  ...'ordering=id order=content page=2 dashboard_item=10 deleted=true created_by=2'.split(' '),
]

test('later filters and orderings are ignored', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ profile })
    const all = await ask('GET', annotationsPath)
    for (const filter of filters) {
      expect.soft(await ask('GET', `${annotationsPath}?${filter}`), filter).toEqual(all)
    }
  }
})
