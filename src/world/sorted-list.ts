/** A chunk that grows to twice this size is split. A write copies a chunk, and the list of chunks. */
const chunkSize = 64

/** Negative if the first row comes first, 0 only for the same position. */
export type Compare<Row> = (a: Row, b: Row) => number

export interface OrderedRows<Row> {
  readonly size: number
  /** At most `limit` rows from an offset on, which can be beyond the end. */
  slice(offset: number, limit: number): Row[]
  /** The same rows in their chunks. Only of a list that is kept. */
  runs?(offset: number, limit: number): Run<Row>[]
}

/** Consecutive rows of a chunk. */
export interface Run<Row> {
  readonly chunk: readonly Row[]
  readonly from: number
  readonly to: number
}

type Chunk<Row> = readonly Row[]

/**
 * Rows in order, in chunks. A list never changes: a write returns another list, which shares all chunks but one. So any
 * number of worlds can have the same list.
 *
 * @example
 * const list = SortedList.of<Row>((a, b) => a.id - b.id, rows)
 * const changed = list.with({ ...row, content: 'Launch' })
 * changed.list.slice(90_000, 100) // nearly as fast as the first page
 */
export class SortedList<Row extends object> implements OrderedRows<Row> {
  readonly size: number
  readonly #compare: Compare<Row>
  readonly #chunks: readonly Chunk<Row>[]

  private constructor(compare: Compare<Row>, chunks: readonly Chunk<Row>[], size: number) {
    this.size = size
    this.#compare = compare
    this.#chunks = chunks
  }

  /** @param sorted rows in order, no two of them at the same position */
  static of<Row extends object>(
    compare: Compare<Row>,
    sorted: readonly Row[] = [],
  ): SortedList<Row> {
    return new SortedList(compare, split(sorted), sorted.length)
  }

  /** The row at the position of another one, which can lack the fields that the order does not depend on. */
  find(row: Row): Row | undefined {
    const chunk = this.#chunks[this.#chunkOf(row)] ?? []
    return this.#rowAt(row, chunk, this.#indexIn(chunk, row))
  }

  /** The list with one more row, or with another one at its position. */
  with(row: Row): Change<Row> {
    return this.#change(row, [row])
  }

  /** The list without the row at a position. The same list if there is none. */
  without(row: Row): Change<Row> {
    return this.#change(row, [])
  }

  slice(offset: number, limit: number): Row[] {
    const parts = this.runs(offset, limit).map(({ chunk, from, to }) => chunk.slice(from, to))
    return ([] as Row[]).concat(...parts)
  }

  runs(offset: number, limit: number): Run<Row>[] {
    const runs: Run<Row>[] = []
    let start = 0
    for (const chunk of this.#chunks) {
      if (start >= offset + limit) break
      const from = Math.max(0, offset - start)
      const to = Math.min(chunk.length, offset + limit - start)
      if (from < to) runs.push({ chunk, from, to })
      start += chunk.length
    }
    return runs
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (const chunk of this.#chunks) yield* chunk
  }

  #change(row: Row, added: readonly Row[]): Change<Row> {
    const at = this.#chunkOf(row)
    const chunk = this.#chunks[at] ?? []
    const index = this.#indexIn(chunk, row)
    const before = this.#rowAt(row, chunk, index)
    const removed = before ? 1 : 0
    if (removed + added.length === 0) return { list: this, before }
    const parts = split(chunk.toSpliced(index, removed, ...added))
    const chunks = this.#chunks.toSpliced(at, 1, ...parts)
    const size = this.size + added.length - removed
    return { list: new SortedList(this.#compare, chunks, size), before }
  }

  /** The index of the chunk that has a position, or of the last one. */
  #chunkOf(row: Row): number {
    const isReached = (index: number) => this.#compare(this.#chunks[index]?.at(-1) as Row, row) >= 0
    return firstIndex(this.#chunks.length - 1, isReached)
  }

  #indexIn(chunk: Chunk<Row>, row: Row): number {
    return firstIndex(chunk.length, (index) => this.#compare(chunk[index] as Row, row) >= 0)
  }

  /** The row at an index, if it has the position of another one. */
  #rowAt(row: Row, chunk: Chunk<Row>, index: number): Row | undefined {
    const found = chunk[index]
    return found !== undefined && this.#compare(found, row) === 0 ? found : undefined
  }
}

/** A list after a write. */
interface Change<Row extends object> {
  readonly list: SortedList<Row>
  /** The row that was at the position */
  readonly before: Row | undefined
}

/** Makes chunks of at least a size, and less than twice as large, unless there are fewer rows. */
function split<Row>(rows: readonly Row[]): Chunk<Row>[] {
  const count = Math.max(1, Math.floor(rows.length / chunkSize))
  if (count === 1) return rows.length > 0 ? [rows] : []
  return Array.from({ length: count }, (_, index) => {
    const end = index + 1 < count ? (index + 1) * chunkSize : rows.length
    return rows.slice(index * chunkSize, end)
  })
}

/** Rows that were found for one request. */
export function orderedRows<Row>(rows: readonly Row[]): OrderedRows<Row> {
  return {
    size: rows.length,
    slice: (offset, limit) => rows.slice(Math.max(0, offset), offset + limit),
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
      const [last] = left.slice(fewest + more, 1)
      const [next] = right.slice(count - fewest - more - 1, 1)
      return compare(last as Row, next as Row) > 0
    }
    return fewest + firstIndex(most - fewest, isTooMany)
  }
  return {
    size,
    slice(offset, limit) {
      const fromLeft = countFromLeft(Math.min(offset, size))
      const both = [...left.slice(fromLeft, limit), ...right.slice(offset - fromLeft, limit)]
      return both.sort(compare).slice(0, limit)
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
