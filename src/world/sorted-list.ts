/** A chunk that grows to twice this size is split. A larger one makes writes slower, a smaller one forks. */
const chunkSize = 512

/** Negative if the first row comes first, 0 only for the same position. */
export type Compare<Row> = (a: Row, b: Row) => number

/** Rows in order, and how many there are. */
export interface OrderedRows<Row> extends Iterable<Row> {
  readonly size: number
  /** At most `limit` rows from an offset on, which can be beyond the end. */
  slice(offset: number, limit: number): Row[]
}

/**
 * Rows in order, in chunks. A fork takes almost no time: it shares the chunks, and both sides copy a chunk before they
 * write to it.
 *
 * @example
 * const list = new SortedList<Row>((a, b) => a.id - b.id, rows)
 * list.put({ ...row, content: 'Launch' })
 * list.slice(90_000, 100) // as fast as the first page
 */
export class SortedList<Row> implements OrderedRows<Row> {
  readonly #compare: Compare<Row>
  #chunks: Row[][] = []
  /** The chunks that no fork shares. */
  #own = new Set<Row[]>()
  #size = 0

  /** @param sorted rows in order, no two of them at the same position */
  constructor(compare: Compare<Row>, sorted: readonly Row[] = []) {
    this.#compare = compare
    this.#size = sorted.length
    for (let start = 0; start < sorted.length; start += chunkSize) {
      this.#chunks.push(sorted.slice(start, start + chunkSize))
    }
  }

  get size(): number {
    return this.#size
  }

  fork(): SortedList<Row> {
    const copy = new SortedList(this.#compare)
    copy.#chunks = this.#chunks.slice()
    copy.#size = this.#size
    this.#own = new Set()
    return copy
  }

  /** The row at the position of another one, which can lack the fields that the order does not depend on. */
  find(row: Row): Row | undefined {
    const [index, at] = this.#locate(row)
    const found = this.#chunks[index]?.[at]
    return found !== undefined && this.#compare(found, row) === 0 ? found : undefined
  }

  /** Adds a row, or replaces the one at its position. */
  put(row: Row): void {
    const [index, at] = this.#locate(row)
    const chunk = this.#writable(index)
    const before = chunk[at]
    const isListed = before !== undefined && this.#compare(before, row) === 0
    chunk.splice(at, isListed ? 1 : 0, row)
    if (isListed) return
    this.#size += 1
    if (chunk.length <= 2 * chunkSize) return
    const rest = chunk.splice(chunkSize)
    this.#own.add(rest)
    this.#chunks.splice(index + 1, 0, rest)
  }

  /** Removes the row at a position. @returns whether there was one */
  remove(row: Row): boolean {
    if (this.find(row) === undefined) return false
    const [index, at] = this.#locate(row)
    const chunk = this.#writable(index)
    chunk.splice(at, 1)
    if (chunk.length === 0) this.#chunks.splice(index, 1)
    this.#size -= 1
    return true
  }

  slice(offset: number, limit: number): Row[] {
    const rows: Row[] = []
    let start = 0
    for (const chunk of this.#chunks) {
      if (rows.length >= limit) break
      const from = Math.max(0, offset - start)
      for (let at = from; at < chunk.length && rows.length < limit; at++)
        rows.push(chunk[at] as Row)
      start += chunk.length
    }
    return rows
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (const chunk of this.#chunks.slice()) yield* chunk
  }

  /** The chunk of a position, and the index in it. */
  #locate(row: Row): [index: number, at: number] {
    const chunks = this.#chunks
    const index = firstIndex(
      chunks.length - 1,
      (at) => this.#compare((chunks[at] as Row[]).at(-1) as Row, row) >= 0,
    )
    const chunk = chunks[index] ?? []
    return [index, firstIndex(chunk.length, (at) => this.#compare(chunk[at] as Row, row) >= 0)]
  }

  #writable(index: number): Row[] {
    const shared = this.#chunks[index] ?? []
    if (this.#own.has(shared)) return shared
    const chunk = shared.slice()
    this.#own.add(chunk)
    this.#chunks[index] = chunk
    return chunk
  }
}

/** Two lists as one, in order and with an exact size, without a copy. No row is in both. */
export class MergedLists<Row> implements OrderedRows<Row> {
  readonly #left: SortedList<Row>
  readonly #right: SortedList<Row>
  readonly #compare: Compare<Row>

  constructor(left: SortedList<Row>, right: SortedList<Row>, compare: Compare<Row>) {
    this.#left = left
    this.#right = right
    this.#compare = compare
  }

  get size(): number {
    return this.#left.size + this.#right.size
  }

  slice(offset: number, limit: number): Row[] {
    const fromLeft = this.#countFromLeft(Math.min(offset, this.size))
    const left = this.#left.slice(fromLeft, limit)
    const right = this.#right.slice(offset - fromLeft, limit)
    const rows: Row[] = []
    let [next, nextRight] = [0, 0]
    while (rows.length < limit && (next < left.length || nextRight < right.length)) {
      const [a, b] = [left[next], right[nextRight]]
      const isLeft = b === undefined || (a !== undefined && this.#compare(a, b) < 0)
      rows.push((isLeft ? a : b) as Row)
      if (isLeft) next += 1
      else nextRight += 1
    }
    return rows
  }

  [Symbol.iterator](): IterableIterator<Row> {
    return this.slice(0, this.size).values()
  }

  /** How many of the first `count` rows are in the left list. */
  #countFromLeft(count: number): number {
    const fewest = Math.max(0, count - this.#right.size)
    const most = Math.min(count, this.#left.size)
    const isTooMany = (more: number): boolean => {
      const [left] = this.#left.slice(fewest + more, 1)
      const [right] = this.#right.slice(count - fewest - more - 1, 1)
      return this.#compare(left as Row, right as Row) > 0
    }
    return fewest + firstIndex(most - fewest, isTooMany)
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
