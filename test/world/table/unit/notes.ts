import { finish } from '../../../../src/utils/steps.ts'
import type { ChunkOptions } from '../../../../src/world/table/chunk.ts'
import type {
  Compare,
  OrderedListRules,
  SortedRows,
} from '../../../../src/world/table/ordered-list.ts'
import { OrderedList } from '../../../../src/world/table/ordered-list.ts'
import type { Random } from '../../../support/random.ts'

/** A row like an annotation. Undated rows come first, then the newest, then the higher id. */
export interface Note {
  readonly id: number
  readonly day: number | null
  readonly text: string | null
}

export const newestFirst: Compare<Note> = (a, b) => (b.day ?? 1e9) - (a.day ?? 1e9) || b.id - a.id

export const textOf: ChunkOptions<Note>['text'] = (note) => note.text

export const rankOf: ChunkOptions<Note>['rank'] = ({ day }) => -(day ?? 1e9)

/** @param rows in any order */
export function listOf(
  rows: readonly Note[],
  rules: Partial<OrderedListRules<Note>> = {},
): OrderedList<Note> {
  const list = new OrderedList({ compare: newestFirst, rank: rankOf, text: textOf, ...rules })
  finish(list.fill(rows.toSorted(newestFirst)))
  return list
}

/** Notes 1 to `count`, one per day. Every third note is a release. */
export function daily(count: number): Note[] {
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1
    return { id, day: id, text: id % 3 === 0 ? `release ${id}` : `campaign ${id}` }
  })
}

export function ids(rows: readonly Note[]): number[] {
  return rows.map(({ id }) => id)
}

const WORDS = ['release', 'rel', 'ease', 'campaign', 'outage', 'ü', '7', 'nowhere'] as const

export function randomNote(id: number, random: Random): Note {
  const day = random.below(20) === 0 ? null : random.below(400)
  const words = Array.from({ length: random.below(4) }, () => random.pick(WORDS.slice(0, -1)))
  return { id, day, text: random.below(20) === 0 ? null : `${words.join(' ')} ${id}` }
}

export function randomTerms(random: Random): string[] {
  return Array.from({ length: random.below(4) }, () => random.pick(WORDS))
}

/** Reads a list, and the array that it should equal, at the same random position. */
export function readBoth(list: SortedRows<Note>, rows: readonly Note[], random: Random): Both {
  const offset = random.below(rows.length + 50)
  const limit = random.pick([0, 1, 7, 100, 1500, Number.POSITIVE_INFINITY])
  return {
    actual: [list.size, list.at(offset), list.slice(offset, limit)],
    expected: [rows.length, rows[offset], rows.slice(offset, offset + limit)],
  }
}

export interface Both {
  readonly actual: unknown
  readonly expected: unknown
}

/** Searches without an index: the rows whose text contains every term, in order. */
export function searchLinearly(rows: Iterable<Note>, terms: readonly string[]): Note[] {
  const matches = ({ text }: Note) => terms.every((term) => text?.includes(term))
  return [...rows].filter(matches).sort(newestFirst)
}
