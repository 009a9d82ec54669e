/** A chunk that grows to twice this size is split. A write copies one chunk and the list of all: of 100,000 rows, alike many. */
const chunkSize = 256

/** Negative if the first row comes first, 0 only for the same position. */
export type Compare<Row> = (a: Row, b: Row) => number

/** Rows in order. */
export interface OrderedRows<Row> {
  readonly size: number
  /** At most `limit` rows from an offset on, which can be beyond the end. */
  slice(offset: number, limit: number): Row[]
}

/**
 * Rows in order, in chunks. A list never changes: a write returns another list, which shares all chunks but one. So any
 * number of worlds can have the same list.
 *
 * @example
 * const list = SortedList.of<Row>((a, b) => a.id - b.id, rows)
 * const changed = list.with({ ...row, content: 'Launch' })
 * changed.slice(90_000, 100) // as fast as the first page
 */
export class SortedList<Row extends object> implements OrderedRows<Row> {
  readonly size: number
  readonly #compare: Compare<Row>
  readonly #chunks: readonly Row[][]

  private constructor(compare: Compare<Row>, chunks: readonly Row[][], size: number) {
    this.#compare = compare
    this.#chunks = chunks
    this.size = size
  }

  /** @param sorted rows in order, no two of them at the same position */
  static of<Row extends object>(
    compare: Compare<Row>,
    sorted: readonly Row[] = [],
  ): SortedList<Row> {
    const chunks: Row[][] = []
    for (let start = 0; start < sorted.length; start += chunkSize) {
      chunks.push(sorted.slice(start, start + chunkSize))
    }
    return new SortedList(compare, chunks, sorted.length)
  }

  /** The row at the position of another one, which can lack the fields that the order does not depend on. */
  find(row: Row): Row | undefined {
    return this.#locate(row).found
  }

  /** The list with one more row, or with another one at its position. */
  with(row: Row): SortedList<Row> {
    const { index, at, found } = this.#locate(row)
    return this.#splice(index, at, found, [row])
  }

  /** The list without the row at a position. The same list if there is none. */
  without(row: Row): SortedList<Row> {
    const { index, at, found } = this.#locate(row)
    return found ? this.#splice(index, at, found, []) : this
  }

  slice(offset: number, limit: number): Row[] {
    const rows: Row[] = []
    let start = 0
    for (const chunk of this.#chunks) {
      if (rows.length >= limit) break
      const from = Math.max(0, offset - start)
      rows.push(...chunk.slice(from, from + limit - rows.length))
      start += chunk.length
    }
    return rows
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (const chunk of this.#chunks) yield* chunk
  }

  /** The chunk of a position, the index in it, and the row there. */
  #locate(row: Row): { index: number; at: number; found: Row | undefined } {
    const isReached = (other: Row | undefined) => this.#compare(other as Row, row) >= 0
    const chunks = this.#chunks
    const index = firstIndex(chunks.length - 1, (index) => isReached(chunks[index]?.at(-1)))
    const chunk = chunks[index] ?? []
    const at = firstIndex(chunk.length, (at) => isReached(chunk[at]))
    const other = chunk[at]
    const isFound = other !== undefined && this.#compare(other, row) === 0
    return { index, at, found: isFound ? other : undefined }
  }

  /** @param former the row at the position, which goes */
  #splice(index: number, at: number, former: Row | undefined, added: Row[]): SortedList<Row> {
    const chunk = this.#chunks[index]?.slice() ?? []
    const removed = former ? 1 : 0
    chunk.splice(at, removed, ...added)
    const chunks = this.#chunks.slice()
    if (chunk.length === 0) chunks.splice(index, 1)
    else chunks[index] = chunk
    if (chunk.length > 2 * chunkSize) chunks.splice(index + 1, 0, chunk.splice(chunkSize))
    return new SortedList(this.#compare, chunks, this.size - removed + added.length)
  }
}

/** Rows that are in order. */
export function orderedRows<Row>(rows: readonly Row[]): OrderedRows<Row> {
  return { size: rows.length, slice: (offset, limit) => rows.slice(offset, offset + limit) }
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
      const [rows, others] = [left.slice(fromLeft, limit), right.slice(offset - fromLeft, limit)]
      if (others.length === 0) return rows
      return rows.concat(others).sort(compare).slice(0, limit)
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
