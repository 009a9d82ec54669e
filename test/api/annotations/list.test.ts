import { expect, test } from 'vitest'
import { idsOf } from '../../support/api/page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { type Started, start } from '../../support/transports/start.ts'

test('annotations are sorted by date_marker, newest first, to the microsecond, and those without one come first; equal ones by id', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const markers = [
    '2024-06-01T00:00:00Z',
    null,
    '2024-06-01T00:00:00.000001Z',
    '0001-01-01T00:00:00Z',
    '2024-05-31T23:59:59.999999Z',
    '9999-12-31T23:59:59.999999Z',
    '1969-12-31T23:59:59.500000Z',
    '2024-06-01T00:00:00.001000Z',
    '2024-06-01T00:00:00.000999Z',
    '2024-06-01T00:00:00.000998Z',
    null,
    '2024-06-01T00:00:00Z',
  ]
  for (const date_marker of markers) simulator.world.annotations.add({ date_marker })

  const expected = [11, 2, 6, 8, 9, 10, 3, 12, 1, 5, 7, 4]
  expect(idsOf(await ask('GET', annotationsPath))).toEqual(expected)
  for (const [offset, id] of expected.entries()) {
    expect
      .soft(idsOf(await ask('GET', `${annotationsPath}?limit=1&offset=${offset}`)), `${offset}`)
      .toEqual([id])
  }
})

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
