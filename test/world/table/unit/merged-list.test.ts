import { expect, test } from 'vitest'
import { mergeSorted } from '../../../../src/world/table/merged-list.ts'
import { createRandom } from '../../../support/random.ts'
import {
  daily,
  ids,
  listOf,
  newestFirst,
  randomNote,
  randomTerms,
  readBoth,
  searchLinearly,
} from './notes.ts'

test('merged lists read as one list, at any position', () => {
  const own = listOf(daily(90_000).filter(({ id }) => id % 10 !== 0))
  const shared = listOf(daily(90_000).filter(({ id }) => id % 10 === 0))
  const visible = mergeSorted([own, shared], newestFirst)

  expect(visible.size).toBe(90_000)
  expect(ids(visible.slice(50_000, 3))).toEqual([40_000, 39_999, 39_998])
  expect(visible.at(89_999)?.id).toBe(1)
  expect([visible.at(-1), visible.at(90_000), visible.slice(90_000, 5)]).toEqual([
    undefined,
    undefined,
    [],
  ])
})

test('a merged list shows later writes to its lists', () => {
  const own = listOf(daily(2))
  const shared = listOf([])
  const visible = mergeSorted([own, shared], newestFirst)
  shared.insert({ id: 9, day: 2, text: null })
  own.remove({ id: 1, day: 1, text: null })
  expect([visible.size, ids(visible.slice(0, 9))]).toEqual([2, [9, 2]])
})

test('a search covers all lists, and a search without terms returns the merged list', () => {
  const all = daily(12)
  const visible = mergeSorted([listOf(all.slice(0, 5)), listOf(all.slice(5))], newestFirst)
  const hits = visible.search(['release'])
  expect([hits.size, ids(hits.slice(1, 9)), ids(hits.search(['3']).slice(0, 9))]).toEqual([
    4,
    [9, 6, 3],
    [3],
  ])
  expect(visible.search([])).toBe(visible)
})

test('one list is returned as it is, and no list gives an empty list', () => {
  const list = listOf(daily(3))
  expect(mergeSorted([list], newestFirst)).toBe(list)
  const empty = mergeSorted([], newestFirst)
  expect([empty.size, empty.at(0), empty.slice(0, 9), empty.search(['a']).size]).toEqual([
    0,
    undefined,
    [],
    0,
  ])
})

test('two merged lists equal one sorted array after random writes', () => {
  expectSortedArray(2)
})

test('four merged lists equal one sorted array after random writes', () => {
  expectSortedArray(4)
})

function expectSortedArray(count: number): void {
  const random = createRandom(count)
  let nextId = 1
  const lists = Array.from({ length: count }, () => {
    const rows = Array.from({ length: random.below(3000) }, () => randomNote(nextId++, random))
    return { list: listOf(rows), rows }
  })
  const merged = mergeSorted(
    lists.map(({ list }) => list),
    newestFirst,
  )

  for (let step = 0; step < 1500; step++) {
    const { list, rows } = random.pick(lists)
    const added = randomNote(nextId++, random)
    const before = rows[random.below(rows.length)]
    if (before && random.below(2) === 0) {
      list.remove(before)
      rows.splice(rows.indexOf(before), 1)
    } else {
      list.insert(added)
      rows.push(added)
    }
    if (step % 8 > 0) continue
    const terms = randomTerms(random)
    const expected = searchLinearly(
      lists.flatMap((each) => each.rows),
      terms,
    )
    const read = readBoth(merged.search(terms), expected, random)
    expect(read.actual, `after step ${step}`).toEqual(read.expected)
  }
}
