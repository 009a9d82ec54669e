import { expect, test } from 'vitest'
import { OrderedList } from '../../src/world/table/ordered-list.ts'
import { daily, ids, listOf, type Note, newestFirst, textOf } from './note.ts'

const undated: Note = { id: 9, day: null, text: 'outage' }

test('rows are listed in their order, whatever the order they came in', () => {
  const list = listOf([])
  list.insert({ id: 1, day: 5, text: null })
  list.insert({ id: 2, day: 7, text: null })
  list.insert({ id: 3, day: 5, text: null })
  list.insert(undated)
  expect(ids(list.slice(0, 100))).toEqual([9, 2, 3, 1])
})

test('a page at any offset, with the exact number of all rows', () => {
  const list = listOf(daily(100_000))
  expect(list.size).toBe(100_000)
  expect(ids(list.slice(60_000, 3))).toEqual([40_000, 39_999, 39_998])
  expect(list.at(99_999)?.id).toBe(1)
})

test('outside the list there is nothing', () => {
  const list = listOf(daily(2000))
  expect([list.slice(2000, 10), list.slice(5000, 10), list.slice(0, 0)]).toEqual([[], [], []])
  expect([list.at(2000), list.at(-1), listOf([]).at(0)]).toEqual([undefined, undefined, undefined])
  expect(ids(list.slice(1998, Number.POSITIVE_INFINITY))).toEqual([2, 1])
})

test('a page is the reader’s own', () => {
  const list = listOf(daily(3))
  list.slice(0, 3).reverse()
  expect(ids(list.slice(0, 3))).toEqual([3, 2, 1])
})

test('a row is taken out by its place, and only once', () => {
  const list = listOf(daily(3))
  const changed = { id: 2, day: 2, text: 'any other text' }
  expect([list.remove(changed), list.remove(changed)]).toEqual([true, false])
  expect(ids(list.slice(0, 3))).toEqual([3, 1])
})

test('a changed row takes the place of the old one', () => {
  const list = listOf(daily(3))
  const [before] = list.slice(1, 1)
  const after = { id: 2, day: 2, text: 'outage' }
  list.replace(before as Note, after)
  expect(list.slice(1, 1)).toEqual([after])
})

test('a list can be emptied and filled again', () => {
  const list = listOf(daily(3000))
  for (const note of daily(3000)) list.remove(note)
  expect([list.size, list.slice(0, 10)]).toEqual([0, []])
  list.insert(undated)
  expect(list.slice(0, 10)).toEqual([undated])
})

test('a fork and its origin do not see what the other writes', () => {
  const list = listOf(daily(3))
  const fork = list.fork()
  fork.insert(undated)
  list.remove({ id: 1, day: 1, text: null })
  const second = fork.fork()
  second.replace(undated, { ...undated, text: 'changed' })
  expect([list, fork, second].map((each) => ids(each.slice(0, 9)))).toEqual([
    [3, 2],
    [9, 3, 2, 1],
    [9, 3, 2, 1],
  ])
  expect([fork.at(0)?.text, second.at(0)?.text]).toEqual(['outage', 'changed'])
})

test('forks of a long list cost no memory for its rows', () => {
  const list = listOf(daily(100_000))
  const before = process.memoryUsage().heapUsed
  const forks = Array.from({ length: 20_000 }, () => list.fork())
  const bytesPerFork = (process.memoryUsage().heapUsed - before) / forks.length
  expect(bytesPerFork).toBeLessThan(1000) // the 196 chunks alone would take 1600
})

test('what would break the order is refused, with the cure', () => {
  const list = listOf(daily(3))
  const rows = daily(3)
  expect(() => new OrderedList({ compare: newestFirst, text: textOf, rows })).toThrow(
    'Failed to fill a list: expected rows in ascending order, got row 1 not after row 0. ' +
      'Sort them by the compare of the list.',
  )
  expect(() => list.insert({ id: 2, day: 2, text: null })).toThrow(
    'Failed to insert a row: expected a free place in the order, got one that is taken. ' +
      'Use replace to change a listed row.',
  )
  expect(() => list.replace(undated, undated)).toThrow(
    'Failed to replace a row: expected a listed row, got one that is not in the list. ' +
      'Use insert to add it.',
  )
  expect(() => list.replace({ id: 2, day: 2, text: null }, undated)).toThrow(
    'Failed to replace a row: expected the same place in the order, got another one. ' +
      'Remove the row and insert the changed one.',
  )
  expect(ids(list.slice(0, 9))).toEqual([3, 2, 1])
})
