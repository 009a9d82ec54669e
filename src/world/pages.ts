import { bisect } from './bisect.ts'
import { RowPage } from './page.ts'

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
