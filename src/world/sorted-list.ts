import type { Mutable } from '../utils/json.ts'

/** A chunk that grows to twice this size is split. A write copies one chunk and the list of all, a page reads one or two. */
const chunkSize = 128

/** Negative if the first row comes first, 0 only for the same position. */
export type Compare<Row> = (a: Row, b: Row) => number

/** Consecutive rows. They never change: a write makes another chunk in the same place. */
export interface Chunk<Row> {
  readonly rows: readonly Row[]
  /** What all chunks have in common of which one followed the other. Undefined for rows that are found anew for each request */
  readonly place: object | undefined
}

/** A part of a chunk: the rows from an index up to another one. */
export interface Run<Row> {
  readonly chunk: Chunk<Row>
  readonly from: number
  readonly to: number
}

export interface OrderedRows<Row> {
  readonly size: number
  /** At most `limit` rows from an offset on, which can be beyond the end, as they lie in chunks. No run is empty. */
  runs(offset: number, limit: number): Run<Row>[]
}

/** The rows of runs as one list. */
export function rowsOf<Row>(runs: readonly Run<Row>[]): Row[] {
  const [first = [], ...others] = runs.map(({ chunk, from, to }) => chunk.rows.slice(from, to))
  return others.length > 0 ? first.concat(...others) : first
}

/**
 * Rows in order, in chunks. A list never changes: a write returns another list, which shares all chunks but one. So any
 * number of worlds can have the same list.
 *
 * @example
 * const list = SortedList.of<Row>((a, b) => a.id - b.id, rows)
 * const changed = list.with({ ...row, content: 'Launch' })
 * rowsOf(changed.list.runs(90_000, 100)) // as fast as the first page
 */
export class SortedList<Row extends object> implements OrderedRows<Row> {
  readonly size: number
  readonly #compare: Compare<Row>
  readonly #chunks: readonly Chunk<Row>[]

  private constructor(compare: Compare<Row>, chunks: readonly Chunk<Row>[], size: number) {
    this.#compare = compare
    this.#chunks = chunks
    this.size = size
  }

  /** @param sorted rows in order, no two of them at the same position */
  static of<Row extends object>(
    compare: Compare<Row>,
    sorted: readonly Row[] = [],
  ): SortedList<Row> {
    const chunks: Chunk<Row>[] = []
    for (let start = 0; start < sorted.length; start += chunkSize) {
      chunks.push({ rows: sorted.slice(start, start + chunkSize), place: {} })
    }
    return new SortedList(compare, chunks, sorted.length)
  }

  /** The row at the position of another one, which can lack the fields that the order does not depend on. */
  find(row: Row): Row | undefined {
    return this.#locate(row).found
  }

  /** The list with one more row, or with another one at its position. */
  with(row: Row): Change<Row> {
    return this.#change(row, [row])
  }

  /** The list without the row at a position. The same list if there is none. */
  without(row: Row): Change<Row> {
    return this.#change(row, [])
  }

  runs(offset: number, limit: number): Run<Row>[] {
    const runs: Run<Row>[] = []
    const end = Math.min(offset + limit, this.size)
    let start = 0
    for (const chunk of this.#chunks) {
      if (start >= end) break
      const { length } = chunk.rows
      const [from, to] = [Math.max(0, offset - start), Math.min(end - start, length)]
      if (from < to) runs.push({ chunk, from, to })
      start += length
    }
    return runs
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (const { rows } of this.#chunks) yield* rows
  }

  /** The chunk of a position, the index in it, and the row there. */
  #locate(row: Row): { index: number; at: number; found: Row | undefined } {
    const isReached = (other: Row | undefined) => this.#compare(other as Row, row) >= 0
    const chunks = this.#chunks
    const index = firstIndex(chunks.length - 1, (index) => isReached(chunks[index]?.rows.at(-1)))
    const rows = chunks[index]?.rows ?? []
    const at = firstIndex(rows.length, (at) => isReached(rows[at]))
    const other = rows[at]
    const isFound = other !== undefined && this.#compare(other, row) === 0
    return { index, at, found: isFound ? other : undefined }
  }

  /** @param added what takes the place of the row at this position */
  #change(row: Row, added: readonly Row[]): Change<Row> {
    const { index, at, found: before } = this.#locate(row)
    const removed = before ? 1 : 0
    if (removed + added.length === 0) return { list: this, before }
    const { rows: former = [], place = {} } = this.#chunks[index] ?? {}
    const rows = former.slice()
    const [replacing] = added
    if (before && replacing) rows[at] = replacing
    else rows.splice(at, removed, ...added)
    const chunks = this.#chunks.slice()
    if (rows.length === 0) chunks.splice(index, 1)
    else chunks[index] = { rows, place }
    if (rows.length > 2 * chunkSize)
      chunks.splice(index + 1, 0, { rows: rows.splice(chunkSize), place: {} })
    const size = this.size - removed + added.length
    return { list: new SortedList(this.#compare, chunks, size), before }
  }
}

/** A list after a write. */
interface Change<Row extends object> {
  readonly list: SortedList<Row>
  /** The row that was at the position */
  readonly before: Row | undefined
}

/** Rows that were found for one request. */
export function orderedRows<Row>(rows: readonly Row[]): OrderedRows<Row> {
  const chunk = { rows, place: undefined }
  return {
    size: rows.length,
    runs(offset, limit) {
      const to = Math.min(offset + limit, rows.length)
      return offset < to ? [{ chunk, from: offset, to }] : []
    },
  }
}

/** Two lists as one, without a copy. No row is in both. */
export function mergeLists<Row>(
  left: OrderedRows<Row>,
  right: OrderedRows<Row>,
  compare: Compare<Row>,
): OrderedRows<Row> {
  const size = left.size + right.size
  /** How many of the first `count` rows are in the left list. */
  function countFromLeft(count: number): number {
    const fewest = Math.max(0, count - right.size)
    const most = Math.min(count, left.size)
    const isTooMany = (more: number): boolean => {
      const [last] = rowsOf(left.runs(fewest + more, 1))
      const [next] = rowsOf(right.runs(count - fewest - more - 1, 1))
      return compare(last as Row, next as Row) > 0
    }
    return fewest + firstIndex(most - fewest, isTooMany)
  }
  return {
    size,
    runs(offset, limit) {
      const fromLeft = countFromLeft(Math.min(offset, size))
      const both = [...left.runs(fromLeft, limit), ...right.runs(offset - fromLeft, limit)]
      const single = both.flatMap(({ chunk, from, to }) =>
        chunk.rows.slice(from, to).map((row, index) => ({ row, chunk, at: from + index })),
      )
      single.sort((a, b) => compare(a.row, b.row))
      const runs: Mutable<Run<Row>>[] = []
      for (const { chunk, at } of single.slice(0, limit)) {
        const last = runs.at(-1)
        if (last?.chunk === chunk) last.to += 1
        else runs.push({ chunk, from: at, to: at + 1 })
      }
      return runs
    },
  }
}

/** The first index from 0 on for which a condition holds, or `end`. It holds for all later ones, too. */
function firstIndex(end: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, Math.max(0, end)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
