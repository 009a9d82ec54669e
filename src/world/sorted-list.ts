import type { Mutable } from '../utils/json.ts'

/** A part that grows to twice its size is split. A write copies a chunk and the branches above it, a page reads a chunk or two. */
const sizes = { chunk: 128, branch: 32 }

/** Negative if the first row comes first, 0 only for the same position. */
export type Compare<Row> = (a: Row, b: Row) => number

/** Rows of a chunk: those from an index up to another one. */
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

/** A chunk, or a branch of them. It never changes: a write makes others. */
interface Part<Row> extends OrderedRows<Row> {
  readonly last: Row | undefined
  find(row: Row, compare: Compare<Row>): Row | undefined
  /** @param added what takes the place of the row at this position */
  change(row: Row, compare: Compare<Row>, added: readonly Row[]): ChangedParts<Row>
}

interface ChangedParts<Row> {
  /** What takes the place of the part */
  readonly parts: readonly Part<Row>[]
  /** The row that was at the position */
  readonly before: Row | undefined
}

/** Consecutive rows. */
class Chunk<Row> implements Part<Row> {
  readonly rows: readonly Row[]
  /** What all chunks have in common of which one followed the other. Undefined for rows that are found anew for each request */
  readonly place: object | undefined

  constructor(rows: readonly Row[], place?: object) {
    this.rows = rows
    this.place = place
  }

  get size(): number {
    return this.rows.length
  }

  get last(): Row | undefined {
    return this.rows[this.rows.length - 1]
  }

  find(row: Row, compare: Compare<Row>): Row | undefined {
    const found = this.rows[this.#indexOf(row, compare)]
    return found !== undefined && compare(found, row) === 0 ? found : undefined
  }

  change(row: Row, compare: Compare<Row>, added: readonly Row[]): ChangedParts<Row> {
    const at = this.#indexOf(row, compare)
    const other = this.rows[at]
    const before = other !== undefined && compare(other, row) === 0 ? other : undefined
    const rows = this.rows.toSpliced(at, before ? 1 : 0, ...added)
    const toChunk = (part: readonly Row[], index: number) =>
      new Chunk(part, index === 0 ? this.place : {})
    return { parts: split(rows, sizes.chunk, toChunk), before }
  }

  runs(offset: number, limit: number): Run<Row>[] {
    const [from, to] = [Math.max(0, offset), Math.min(offset + limit, this.size)]
    return from < to ? [{ chunk: this, from, to }] : []
  }

  #indexOf(row: Row, compare: Compare<Row>): number {
    return firstIndex(this.size, (index) => compare(this.rows[index] as Row, row) >= 0)
  }
}

class Branch<Row> implements Part<Row> {
  readonly size: number
  readonly last: Row | undefined
  readonly #parts: readonly Part<Row>[]

  constructor(parts: readonly Part<Row>[]) {
    this.size = parts.reduce((sum, { size }) => sum + size, 0)
    this.last = parts.at(-1)?.last
    this.#parts = parts
  }

  find(row: Row, compare: Compare<Row>): Row | undefined {
    return this.#parts[this.#indexOf(row, compare)]?.find(row, compare)
  }

  change(row: Row, compare: Compare<Row>, added: readonly Row[]): ChangedParts<Row> {
    const index = this.#indexOf(row, compare)
    const part = this.#parts[index] ?? new Chunk<Row>([], {})
    const { parts, before } = part.change(row, compare, added)
    const changed = this.#parts.toSpliced(index, 1, ...parts)
    return { parts: split(changed, sizes.branch, toBranch<Row>), before }
  }

  runs(offset: number, limit: number): Run<Row>[] {
    const runs: Run<Row>[] = []
    let start = 0
    for (const part of this.#parts) {
      if (start >= offset + limit) break
      if (start + part.size > offset) runs.push(...part.runs(offset - start, limit))
      start += part.size
    }
    return runs
  }

  /** Of the part that has a position, or of the last one. */
  #indexOf(row: Row, compare: Compare<Row>): number {
    const isReached = (index: number) => compare(this.#parts[index]?.last as Row, row) >= 0
    return firstIndex(this.#parts.length - 1, isReached)
  }
}

function toBranch<Row>(parts: readonly Part<Row>[]): Branch<Row> {
  return new Branch(parts)
}

/** Makes parts of at least a size, and less than twice as large, unless there are fewer items. */
function split<Item, Made>(
  items: readonly Item[],
  size: number,
  make: (items: readonly Item[], index: number) => Made,
): Made[] {
  const count = Math.floor(items.length / size)
  if (count < 2) return items.length > 0 ? [make(items, 0)] : []
  return Array.from({ length: count }, (_, index) => {
    const end = index + 1 < count ? (index + 1) * size : items.length
    return make(items.slice(index * size, end), index)
  })
}

/**
 * Rows in order, in a tree of chunks. A list never changes: a write returns another list, which shares all chunks but one.
 * So any number of worlds can have the same list.
 *
 * @example
 * const list = SortedList.of<Row>((a, b) => a.id - b.id, rows)
 * const changed = list.with({ ...row, content: 'Launch' })
 * rowsOf(changed.list.runs(90_000, 100)) // as fast as the first page
 */
export class SortedList<Row extends object> implements OrderedRows<Row> {
  readonly #compare: Compare<Row>
  readonly #root: Part<Row>

  private constructor(compare: Compare<Row>, parts: readonly Part<Row>[]) {
    this.#compare = compare
    let level = parts
    while (level.length >= 2 * sizes.branch) level = split(level, sizes.branch, toBranch<Row>)
    this.#root = level.length === 1 ? (level[0] as Part<Row>) : new Branch(level)
  }

  get size(): number {
    return this.#root.size
  }

  /** @param sorted rows in order, no two of them at the same position */
  static of<Row extends object>(
    compare: Compare<Row>,
    sorted: readonly Row[] = [],
  ): SortedList<Row> {
    return new SortedList(
      compare,
      split(sorted, sizes.chunk, (rows) => new Chunk(rows, {})),
    )
  }

  /** The row at the position of another one, which can lack the fields that the order does not depend on. */
  find(row: Row): Row | undefined {
    return this.#root.find(row, this.#compare)
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
    return this.#root.runs(offset, limit)
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (const { chunk } of this.runs(0, this.size)) yield* chunk.rows
  }

  #change(row: Row, added: readonly Row[]): Change<Row> {
    const { parts, before } = this.#root.change(row, this.#compare, added)
    const isSame = !before && added.length === 0
    return { list: isSame ? this : new SortedList(this.#compare, parts), before }
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
  return new Chunk(rows)
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
