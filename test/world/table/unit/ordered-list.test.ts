import { expect, test } from 'vitest'
import { finish } from '../../../../src/utils/steps.ts'
import type { SortedRows } from '../../../../src/world/table/ordered-list.ts'
import { OrderedList } from '../../../../src/world/table/ordered-list.ts'
import { createRandom, type Random } from '../../../support/random.ts'
import {
  daily,
  ids,
  listOf,
  type Note,
  newestFirst,
  randomNote,
  randomTerms,
  rankOf,
  readBoth,
  searchLinearly,
  textOf,
} from './notes.ts'

const undated: Note = { id: 9, day: null, text: 'outage' }

test('a list is ordered, whatever the order of the inserts', () => {
  const list = listOf([])
  list.insert({ id: 1, day: 5, text: null })
  list.insert({ id: 2, day: 7, text: null })
  list.insert({ id: 3, day: 5, text: null })
  list.insert(undated)
  expect(ids(list.slice(0, 100))).toEqual([9, 2, 3, 1])
})

test('slice reads a page at any offset, and size is exact', () => {
  const list = listOf(daily(100_000))
  expect(list.size).toBe(100_000)
  expect(ids(list.slice(60_000, 3))).toEqual([40_000, 39_999, 39_998])
  expect(list.at(99_999)?.id).toBe(1)
})

test('slice and at return nothing outside the list', () => {
  const list = listOf(daily(2000))
  expect([list.slice(2000, 10), list.slice(5000, 10), list.slice(0, 0)]).toEqual([[], [], []])
  expect([list.at(2000), list.at(-1), listOf([]).at(0)]).toEqual([undefined, undefined, undefined])
  expect(ids(list.slice(1998, Number.POSITIVE_INFINITY))).toEqual([2, 1])
})

test('slice returns a new array', () => {
  const list = listOf(daily(3))
  list.slice(0, 3).reverse()
  expect(ids(list.slice(0, 3))).toEqual([3, 2, 1])
})

test('remove finds a row by its position, and removes it once', () => {
  const list = listOf(daily(3))
  const changed = { id: 2, day: 2, text: 'any other text' }
  expect([list.remove(changed), list.remove(changed)]).toEqual([true, false])
  expect(ids(list.slice(0, 3))).toEqual([3, 1])
})

test('replace keeps the position of a row', () => {
  const list = listOf(daily(3))
  const [before] = list.slice(1, 1)
  const after = { id: 2, day: 2, text: 'outage' }
  list.replace(before as Note, after)
  expect(list.slice(1, 1)).toEqual([after])
})

test('an emptied list can be filled again', () => {
  const list = listOf(daily(3000))
  for (const note of daily(3000)) list.remove(note)
  expect([list.size, list.slice(0, 10)]).toEqual([0, []])
  list.insert(undated)
  expect(list.slice(0, 10)).toEqual([undated])
})

test('a fork and its original do not see each other’s writes', () => {
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

test('forks of a long list share the memory of its rows', () => {
  const list = listOf(daily(100_000))
  const before = process.memoryUsage().heapUsed
  const forks = Array.from({ length: 20_000 }, () => list.fork())
  const bytesPerFork = (process.memoryUsage().heapUsed - before) / forks.length
  expect(bytesPerFork).toBeLessThan(1000) // the 196 chunks alone would take 1600
})

test('a fork that replaces a row shares the other rows of its chunk', () => {
  const list = listOf(daily(100_000))
  const before = process.memoryUsage().heapUsed
  const forks = Array.from({ length: 5_000 }, (_, index) => {
    const fork = list.fork()
    const note = fork.at(index * 20) as Note
    fork.replace(note, { ...note, text: 'changed' })
    return fork
  })
  const bytesPerFork = (process.memoryUsage().heapUsed - before) / forks.length
  expect(bytesPerFork).toBeLessThan(4000) // the rows of the chunk alone would take 4100
})

test('a fork reads what it replaced in any way, and its forks do, whether few rows or many', () => {
  const list = listOf(daily(1_000))
  const change = (note: Note): Note => ({ ...note, text: 'changed' })
  const expected = list.toArray().map((note) => (note.id % 30 === 0 ? change(note) : note))

  const fork = list.fork()
  for (const note of list.toArray()) if (note.id % 30 === 0) fork.replace(note, change(note))
  const second = fork.fork()
  second.replace(second.at(0) as Note, { ...(second.at(0) as Note), text: 'again' })

  expect([fork.toArray(), [...fork.values()]]).toEqual([expected, expected])
  expect(expected.map((_, index) => fork.at(index))).toEqual(expected)
  expect(fork.slice(10, 600)).toEqual(expected.slice(10, 610))
  expect(fork.search(['changed']).size).toBe(33)
  expect(second.search(['again']).toArray()).toEqual([{ ...expected[0], text: 'again' }])
  expect(second.toArray().slice(1)).toEqual(expected.slice(1))
  expect(list.search(['changed']).size).toBe(0)
})

test('a list refuses rows that would break its order', () => {
  const list = listOf(daily(3))
  const rows = daily(3)
  const empty = new OrderedList({ compare: newestFirst, rank: rankOf, text: textOf })
  expect(() => finish(empty.fill(rows))).toThrow('Row 1 does not come after the one before it.')
  expect(() => list.insert({ id: 2, day: 2, text: null })).toThrow(
    'The list has a row at this position.',
  )
  expect(() => list.replace(undated, undated)).toThrow('The row is not in the list.')
  expect(ids(list.slice(0, 9))).toEqual([3, 2, 1])
})

interface Pair {
  readonly list: OrderedList<Note>
  readonly rows: Map<number, Note>
}

test('six forked lists equal six sorted arrays after thousands of random writes', () => {
  const random = createRandom(20_240_501)
  let nextId = 1
  const fresh = () => randomNote(nextId++, random)
  const first = Array.from({ length: 5000 }, fresh)
  const pairs: Pair[] = [{ list: listOf(first), rows: new Map(first.map((row) => [row.id, row])) }]
  const results: { result: SortedRows<Note>; expected: Note[] }[] = []

  for (let step = 0; step < 3000; step++) {
    const { list, rows } = random.pick(pairs)
    const roll = random.below(600)
    const copyTo = Math.min(random.below(6), pairs.length)
    if (roll < 4) pairs[copyTo] = { list: list.fork(), rows: new Map(rows) }
    else if (roll < 10) crowd({ list, rows }, fresh, random.below(400))
    else if (roll < 15) sweep({ list, rows }, random)
    else write({ list, rows }, fresh, random)

    if (step % 8 === 0) {
      const terms = randomTerms(random)
      const expected = searchLinearly(rows.values(), terms)
      const read = readBoth(list.search(terms), expected, random)
      expect(read.actual, `after step ${step}`).toEqual(read.expected)
      if (terms.length > 0) results.push({ result: list.search(terms), expected })
    }
  }

  expect(pairs.length).toBe(6)
  for (const { result, expected } of results) expect(result.toArray()).toEqual(expected)
})

function write({ list, rows }: Pair, fresh: () => Note, random: Random): void {
  const added = fresh()
  const some = [...rows.values()]
  const before = some.length > 0 ? random.pick(some) : undefined
  const action = before ? random.pick(['insert', 'remove', 'replace', 'move'] as const) : 'insert'
  if (!before || action === 'insert') {
    list.insert(added)
    rows.set(added.id, added)
    return
  }
  const after = { ...added, id: before.id, day: action === 'move' ? added.day : before.day }
  if (action === 'replace') list.replace(before, after)
  else expect(list.remove(before)).toBe(true)
  if (action === 'move') list.insert(after)
  if (action === 'remove') rows.delete(before.id)
  else rows.set(before.id, after)
}

/** Inserts enough rows on one day to split a chunk. */
function crowd({ list, rows }: Pair, fresh: () => Note, day: number): void {
  for (let count = 0; count < 700; count++) {
    const row = { ...fresh(), day }
    list.insert(row)
    rows.set(row.id, row)
  }
}

/** Removes enough consecutive rows to empty a chunk, sometimes all rows. */
function sweep({ list, rows }: Pair, random: Random): void {
  const ordered = [...rows.values()].sort(newestFirst)
  const from = random.pick([0, random.below(ordered.length + 1)])
  const count = random.below(20) === 0 ? ordered.length : 700
  for (const row of ordered.slice(from, from + count)) {
    list.remove(row)
    rows.delete(row.id)
  }
}
