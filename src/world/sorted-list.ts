/** A chunk that grows to twice this size is split. A write copies a chunk. */
const chunkSize = 64

/** Negative if the first row comes first, 0 only for the same position. */
export type Compare<Row> = (a: Row, b: Row) => number

export interface OrderedRows<Row> {
  readonly size: number
  /** At most `limit` rows from an offset on, which can be beyond the end. */
  slice(offset: number, limit: number): Row[]
  /** The same rows in their chunks. Rows that were found for one request have none. */
  runs?(offset: number, limit: number): Run<Row>[]
}

type ListedRows<Row> = Required<OrderedRows<Row>>

/** Consecutive rows of a chunk. */
export interface Run<Row> {
  readonly chunk: readonly Row[]
  readonly from: number
  readonly to: number
}

/**
 * Rows in order, in chunks, which never change. A write returns another list, which shares all chunks but one, so any number
 * of worlds can have the same list. Only the owner of a list changes it in place.
 */
export class SortedList<Row extends object> implements ListedRows<Row> {
  #size: number
  readonly #compare: Compare<Row>
  readonly #chunks: (readonly Row[])[]
  readonly #owner: object | undefined
  /** Where each chunk begins. Counted when rows are read by their position */
  #starts: readonly number[] | undefined

  private constructor(
    compare: Compare<Row>,
    chunks: (readonly Row[])[],
    size: number,
    owner?: object,
  ) {
    this.#size = size
    this.#compare = compare
    this.#chunks = chunks
    this.#owner = owner
  }

  /** @param sorted rows in order, no two of them at the same position */
  static of<Row extends object>(
    compare: Compare<Row>,
    sorted: readonly Row[] = [],
  ): SortedList<Row> {
    return new SortedList(compare, split(sorted), sorted.length)
  }

  get size(): number {
    return this.#size
  }

  /** The row at the position of another one, which can lack the fields that the order does not depend on. */
  find(row: Row): Row | undefined {
    const chunk = this.#chunks[this.#firstFrom(row, this.#chunks.length - 1)] ?? []
    return this.#rowAt(row, chunk, this.#firstFrom(row, chunk.length, chunk))
  }

  /** The list with one more row, or with another one at its position. @param owner gets a list of its own */
  with(row: Row, owner?: object): Change<Row> {
    return this.#change(row, [row], owner)
  }

  /** The list without the row at a position. The same list if there is none. @param owner gets a list of its own */
  without(row: Row, owner?: object): Change<Row> {
    return this.#change(row, [], owner)
  }

  slice(offset: number, limit: number): Row[] {
    return rowsOf(this.runs(offset, limit))
  }

  runs(offset: number, limit: number): Run<Row>[] {
    this.#starts ??= startsOf(this.#chunks)
    const [starts, end] = [this.#starts, Math.min(offset + limit, this.size)]
    const isBehind = (index: number) => (starts[index + 1] as number) > offset
    const runs: Run<Row>[] = []
    let index = firstIndex(this.#chunks.length - 1, isBehind)
    for (let start = starts[index] ?? end; start < end; index++) {
      const chunk = this.#chunks[index] as readonly Row[]
      const [from, to] = [Math.max(0, offset - start), Math.min(chunk.length, end - start)]
      if (from < to) runs.push({ chunk, from, to })
      start += chunk.length
    }
    return runs
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (const chunk of this.#chunks) yield* chunk
  }

  #change(row: Row, added: readonly Row[], owner: object | undefined): Change<Row> {
    const at = this.#firstFrom(row, this.#chunks.length - 1)
    const chunk = this.#chunks[at] ?? []
    const index = this.#firstFrom(row, chunk.length, chunk)
    const before = this.#rowAt(row, chunk, index)
    const removed = before ? 1 : 0
    if (removed + added.length === 0) return { list: this, before }
    const isOwn = owner !== undefined && owner === this.#owner
    const list = isOwn
      ? this
      : new SortedList(this.#compare, this.#chunks.slice(), this.size, owner)
    list.#setChunk(at, chunk.toSpliced(index, removed, ...added), added.length - removed)
    return { list, before }
  }

  #setChunk(at: number, chunk: readonly Row[], more: number) {
    if (more !== 0) this.#starts = undefined
    this.#size += more
    if (chunk.length > 0 && chunk.length < 2 * chunkSize) this.#chunks[at] = chunk
    else this.#chunks.splice(at, 1, ...split(chunk))
  }

  /** The first index in a chunk, or among the last rows of all chunks, whose row is not before another one. */
  #firstFrom(row: Row, end: number, chunk?: readonly Row[]) {
    let [low, high] = [0, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = chunk ? chunk[middle] : this.#chunks[middle]?.at(-1)
      if (this.#compare(other as Row, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The row at an index, if it has the position of another one. */
  #rowAt(row: Row, chunk: readonly Row[], index: number): Row | undefined {
    const found = chunk[index]
    return found !== undefined && this.#compare(found, row) === 0 ? found : undefined
  }
}

interface Change<Row extends object> {
  readonly list: SortedList<Row>
  readonly before: Row | undefined
}

/** Makes chunks of at least a size, and less than twice as large, unless there are fewer rows. */
function split<Row>(rows: readonly Row[]) {
  const count = Math.max(1, Math.floor(rows.length / chunkSize))
  if (count === 1) return rows.length > 0 ? [rows] : []
  return Array.from({ length: count }, (_, index) => {
    const end = index + 1 < count ? (index + 1) * chunkSize : rows.length
    return rows.slice(index * chunkSize, end)
  })
}

/** Where each of these lists begins, if one follows the other. */
function startsOf(lists: readonly (readonly unknown[])[]) {
  let start = 0
  return lists.map(({ length }) => {
    start += length
    return start - length
  })
}

export function rowsOf<Row>(runs: readonly Run<Row>[]): Row[] {
  return ([] as Row[]).concat(...runs.map(({ chunk, from, to }) => chunk.slice(from, to)))
}

/** Rows that were found for one request. */
export function foundRows<Row>(rows: readonly Row[]): OrderedRows<Row> {
  return {
    size: rows.length,
    slice: (offset, limit) => rows.slice(offset, offset + limit),
  }
}

/** Two lists as one, without a copy. No row is in both. */
export function mergeLists<Row>(
  left: ListedRows<Row>,
  right: ListedRows<Row>,
  compare: Compare<Row>,
): ListedRows<Row> {
  const size = left.size + right.size
  /** How many of the first `count` rows are in the left list. */
  function countFromLeft(count: number) {
    const fewest = Math.max(0, count - right.size)
    const most = Math.min(count, left.size)
    const isTooMany = (more: number) => {
      const [last] = left.slice(fewest + more, 1)
      const [next] = right.slice(count - fewest - more - 1, 1)
      return compare(last as Row, next as Row) > 0
    }
    return fewest + firstIndex(most - fewest, isTooMany)
  }
  function runs(offset: number, limit: number) {
    const [start, end] = [Math.min(offset, size), Math.min(offset + limit, size)]
    const [before, until] = [countFromLeft(start), countFromLeft(end)]
    const fromLeft = left.runs(before, until - before)
    const fromRight = right.runs(start - before, end - until - (start - before))
    return mergeRuns(fromLeft, fromRight, compare)
  }
  return { size, runs, slice: (offset, limit) => rowsOf(runs(offset, limit)) }
}

/** The runs of two lists in one order: a run ends where a row of the other list comes before its next one. */
function mergeRuns<Row>(
  left: readonly Run<Row>[],
  right: readonly Run<Row>[],
  compare: Compare<Row>,
) {
  const merged: Run<Row>[] = []
  let [first, other] = [left.toReversed(), right.toReversed()]
  for (;;) {
    const [run, next] = [first.pop(), other.at(-1)]
    if (!run || !next) return merged.concat(run ?? [], first.reverse(), other.reverse())
    const { chunk, from, to } = run
    const row = next.chunk[next.from] as Row
    const end =
      from + firstIndex(to - from, (index) => compare(chunk[from + index] as Row, row) > 0)
    if (end > from) merged.push({ chunk, from, to: end })
    if (end === to) continue
    first.push({ chunk, from: end, to })
    ;[first, other] = [other, first]
  }
}

/** The first index from 0 on for which a condition holds, or `end`. It holds for all later ones, too. */
function firstIndex(end: number, holds: (index: number) => boolean) {
  let [low, high] = [0, Math.max(0, end)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
