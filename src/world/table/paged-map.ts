import type { Steps } from '../../utils/steps.ts'
import { bisect } from './chunk.ts'

/** In rows. A write moves the rows of one page: this size keeps it below a microsecond. */
const MAX_ROWS = 1024

/**
 * Rows by id, forked in constant time: forks share pages until one of them writes. Ids are non-negative safe integers.
 * Gaps take no memory, because a page holds consecutive rows, not a range of ids.
 *
 * @example
 * const rows = new PagedMap<{ name: string }>()
 * rows.set(9_000_000_000_000, { name: 'far' })
 * rows.fork().delete(9_000_000_000_000) // true; `rows` does not change
 */
export class PagedMap<R> {
  /** A page with this token is changed in place. Any other page is copied first. */
  #owner: object = {}
  #pagesOwner: object = this.#owner
  #pages: RowPage<R>[] = []
  #size = 0

  /** Creates a map of rows by ascending id, in pages with room for more, in steps. */
  static *of<R>(rows: readonly R[], idOf: (row: R) => number): Steps<PagedMap<R>> {
    const map = new PagedMap<R>()
    for (let start = 0; start < rows.length; start += MAX_ROWS / 2) {
      const page = rows.slice(start, start + MAX_ROWS / 2)
      map.#pages.push(new RowPage(map.#owner, page.map(idOf), page))
      yield
    }
    map.#size = rows.length
    return map
  }

  get size(): number {
    return this.#size
  }

  get(id: number): R | undefined {
    const page = this.#pages[this.#pageIndexOf(id)]
    if (!page) return undefined
    const index = page.indexOf(id)
    return page.ids[index] === id ? page.rows[index] : undefined
  }

  set(id: number, row: R): void {
    if (!Number.isSafeInteger(id) || id < 0) {
      throw new RangeError(
        `Failed to set a row: expected an id from 0 to ${Number.MAX_SAFE_INTEGER}, got ${id}.`,
      )
    }
    const pageIndex = this.#pageIndexOf(id)
    const page = this.#writablePage(pageIndex)
    if (page.set(id, row)) this.#size += 1
    if (page.rows.length > MAX_ROWS) this.#pages.splice(pageIndex + 1, 0, page.splitHalf())
  }

  delete(id: number): boolean {
    const pageIndex = this.#pageIndexOf(id)
    const shared = this.#pages[pageIndex]
    const index = shared ? shared.indexOf(id) : 0
    if (shared?.ids[index] !== id) return false
    const page = this.#writablePage(pageIndex)
    page.removeAt(index)
    this.#size -= 1
    if (page.rows.length === 0) this.#pages.splice(pageIndex, 1)
    return true
  }

  /** The current rows by ascending id. Writes during the iteration do not affect it. */
  values(): IterableIterator<R> {
    return rowsOf(this.fork().#pages)
  }

  fork(): PagedMap<R> {
    const copy = new PagedMap<R>()
    copy.#pages = this.#pages
    copy.#pagesOwner = this.#pagesOwner
    copy.#size = this.#size
    this.#owner = {}
    return copy
  }

  /** The last page whose first id is not greater than `id`. */
  #pageIndexOf(id: number): number {
    const pages = this.#pages
    // Not `bisect`: each request looks up several rows, and a closure takes more memory than the request's record.
    let [low, high] = [1, pages.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (((pages[middle] as RowPage<R>).ids[0] as number) > id) high = middle
      else low = middle + 1
    }
    return low - 1
  }

  #writablePage(pageIndex: number): RowPage<R> {
    const owner = this.#owner
    if (this.#pagesOwner !== owner) this.#pages = this.#pages.slice()
    this.#pagesOwner = owner
    const page = this.#pages[pageIndex]?.ownedBy(owner) ?? new RowPage<R>(owner)
    this.#pages[pageIndex] = page
    return page
  }
}

function* rowsOf<R>(pages: readonly RowPage<R>[]): IterableIterator<R> {
  for (const page of pages) yield* page.rows
}

function firstNotBelow(ids: readonly number[], id: number, end: number): number {
  return bisect(0, end, (index) => (ids[index] as number) >= id)
}

/** Consecutive rows, by ascending id. Only the map with its token may change it. */
class RowPage<R> {
  readonly owner: object
  readonly rows: R[]
  #ids: number[]
  /** A copied page shares its ids until one is added or removed, because most writes replace a row. */
  #ownsIds: boolean

  constructor(owner: object, ids: number[] = [], rows: R[] = [], ownsIds = true) {
    this.owner = owner
    this.#ids = ids
    this.rows = rows
    this.#ownsIds = ownsIds
  }

  get ids(): readonly number[] {
    return this.#ids
  }

  /** The position of an id, or where to insert it. Ids are distinct, so it is at most `id - ids[0]`. */
  indexOf(id: number): number {
    const ids = this.#ids
    const furthest = Math.min(id - (ids[0] as number), ids.length)
    return ids[furthest] === id ? furthest : firstNotBelow(ids, id, furthest)
  }

  /** Returns this page if it belongs to the owner, else a copy for the owner. */
  ownedBy(owner: object): RowPage<R> {
    return this.owner === owner ? this : new RowPage(owner, this.#ids, this.rows.slice(), false)
  }

  /** Adds a row, or replaces the row with this id. @returns whether it was added */
  set(id: number, row: R): boolean {
    const index = this.indexOf(id)
    if (this.#ids[index] === id) {
      this.rows[index] = row
      return false
    }
    this.#writableIds().splice(index, 0, id)
    this.rows.splice(index, 0, row)
    return true
  }

  removeAt(index: number): void {
    this.#writableIds().splice(index, 1)
    this.rows.splice(index, 1)
  }

  /** Moves the upper half into a new page of the same owner. */
  splitHalf(): RowPage<R> {
    const half = Math.floor(this.rows.length / 2)
    return new RowPage(this.owner, this.#writableIds().splice(half), this.rows.splice(half))
  }

  #writableIds(): number[] {
    if (!this.#ownsIds) this.#ids = this.#ids.slice()
    this.#ownsIds = true
    return this.#ids
  }
}
