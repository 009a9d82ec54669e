import { bisect } from './sorted.ts'

/** In rows. A write moves the rows of one page: this keeps it below a microsecond. */
const MAX_ROWS = 1024

/**
 * Rows by id, forked at no cost: forks share pages until one writes. Ids are non-negative safe
 * integers, dense or far apart: a page holds neighbours, not a range, so gaps take no memory.
 *
 * @example
 * const rows = new Pages<{ name: string }>()
 * rows.set(9_000_000_000_000, { name: 'far' })
 * rows.fork().delete(9_000_000_000_000) // true, and `rows` still has it
 */
export class PagedMap<R> {
  /** What carries this token is changed in place; what carries another is copied first. */
  #owner: object = {}
  #pagesOwner: object = this.#owner
  #pages: RowPage<R>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: number): R | undefined {
    const page = this.#pages[this.#pageIndexOf(id)]
    if (!page) return undefined
    const index = page.indexOf(id)
    return page.ids[index] === id ? page.rows[index] : undefined
  }

  /** Adds a row, or takes the place of the one with this id. */
  set(id: number, row: R): void {
    if (!Number.isSafeInteger(id) || id < 0) {
      throw new RangeError(
        `Failed to set a row: expected an id from 0 to ${Number.MAX_SAFE_INTEGER}, got ${id}. ` +
          'Give the row a whole number in this range.',
      )
    }
    const at = this.#pageIndexOf(id)
    const page = this.#writablePage(at)
    if (page.set(id, row)) this.#size += 1
    if (page.rows.length > MAX_ROWS) this.#pages.splice(at + 1, 0, page.splitHalf())
  }

  /** Takes out the row with this id; false when there is none. */
  delete(id: number): boolean {
    const at = this.#pageIndexOf(id)
    const known = this.#pages[at]
    const index = known ? known.indexOf(id) : 0
    if (known?.ids[index] !== id) return false
    const page = this.#writablePage(at)
    page.removeAt(index)
    this.#size -= 1
    if (page.rows.length === 0) this.#pages.splice(at, 1)
    return true
  }

  /** The rows by ascending id, as they are now: writes made while reading do not disturb it. */
  values(): IterableIterator<R> {
    return rowsOf(this.fork().#pages)
  }

  /** A second map with the same rows; from here on neither sees what the other writes. */
  fork(): PagedMap<R> {
    const copy = new PagedMap<R>()
    copy.#pages = this.#pages
    copy.#pagesOwner = this.#pagesOwner
    copy.#size = this.#size
    this.#owner = {}
    return copy
  }

  /** The last page that begins at or before an id. */
  #pageIndexOf(id: number): number {
    const pages = this.#pages
    return bisect(1, pages.length, (at) => ((pages[at] as RowPage<R>).ids[0] as number) > id) - 1
  }

  /** The page at a position, safe to change. */
  #writablePage(at: number): RowPage<R> {
    const owner = this.#owner
    if (this.#pagesOwner !== owner) this.#pages = this.#pages.slice()
    this.#pagesOwner = owner
    const page = this.#pages[at]?.ownedBy(owner) ?? new RowPage<R>(owner)
    this.#pages[at] = page
    return page
  }
}

function* rowsOf<R>(pages: readonly RowPage<R>[]): IterableIterator<R> {
  for (const page of pages) yield* page.rows
}

/** Neighbouring rows, by ascending id. Who has its token may change it; for all others it stands still. */
class RowPage<R> {
  readonly owner: object
  readonly rows: R[]
  #ids: number[]
  /** Ids are copied later than rows are: most writes put a row in the place of another. */
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

  /** Where an id is, or belongs: as ids are distinct, no further from the first than they differ. */
  indexOf(id: number): number {
    const ids = this.#ids
    const furthest = Math.min(id - (ids[0] as number), ids.length)
    if (ids[furthest] === id) return furthest
    return bisect(0, furthest, (index) => (ids[index] as number) >= id)
  }

  /** This page when the owner may change it already, else a copy for the owner. */
  ownedBy(owner: object): RowPage<R> {
    return this.owner === owner ? this : new RowPage(owner, this.#ids, this.rows.slice(), false)
  }

  /** Adds a row, or takes the place of the one with this id. @returns whether it was added */
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

  /** Takes out the upper half, as a page of the same owner. */
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
