import { expect, test } from 'vitest'
import type { OrderedList } from '../../src/world/table/ordered-list.ts'
import type { SortedRows } from '../../src/world/table/sorted.ts'
import {
  listOf,
  type Note,
  newestFirst,
  randomNote,
  randomTerms,
  readBoth,
  searchPlainly,
} from './note.ts'
import { createRandom, type Random } from './random.ts'

interface Pair {
  readonly list: OrderedList<Note>
  readonly rows: Map<number, Note>
}

test('six forked lists equal six plain arrays after thousands of random writes', () => {
  const random = createRandom(20_240_501)
  let nextId = 1
  const fresh = () => randomNote(nextId++, random)
  const first = Array.from({ length: 5000 }, fresh)
  const pairs: Pair[] = [{ list: listOf(first), rows: new Map(first.map((row) => [row.id, row])) }]
  const kept: { result: SortedRows<Note>; expected: Note[] }[] = []

  for (let step = 0; step < 6000; step++) {
    const { list, rows } = random.pick(pairs)
    const dice = random.below(600)
    const copyTo = Math.min(random.below(6), pairs.length)
    if (dice < 4) pairs[copyTo] = { list: list.fork(), rows: new Map(rows) }
    else if (dice < 10) crowd({ list, rows }, fresh, random.below(400))
    else if (dice < 15) sweep({ list, rows }, random)
    else write({ list, rows }, fresh, random)

    if (step % 8 === 0) {
      const terms = randomTerms(random)
      const expected = searchPlainly(rows.values(), terms)
      const { got, wanted } = readBoth(list.search(terms), expected, random)
      expect(got, `after step ${step}`).toEqual(wanted)
      if (terms.length > 0) kept.push({ result: list.search(terms), expected })
    }
  }

  expect(pairs.length).toBe(6)
  for (const { result, expected } of kept) expect(result.slice(0, 1e9)).toEqual(expected)
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

/** Enough rows at one place to make a chunk too large. */
function crowd({ list, rows }: Pair, fresh: () => Note, day: number): void {
  for (let count = 0; count < 700; count++) {
    const row = { ...fresh(), day }
    list.insert(row)
    rows.set(row.id, row)
  }
}

/** Enough neighbours to leave a chunk empty, now and then all rows. */
function sweep({ list, rows }: Pair, random: Random): void {
  const ordered = [...rows.values()].sort(newestFirst)
  const from = random.pick([0, random.below(ordered.length + 1)])
  const count = random.below(20) === 0 ? ordered.length : 700
  for (const row of ordered.slice(from, from + count)) {
    list.remove(row)
    rows.delete(row.id)
  }
}
