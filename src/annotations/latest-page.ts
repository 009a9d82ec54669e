import type { Slice } from '../wire.ts'

/** What a page was made of; other objects, once any of it has changed. */
export type PageVersion = readonly [rows: object, shown: object]

/** The most rows of a page that is kept: what few ask for would hold much memory. */
const maxCachedRows = 250

/**
 * The page that was listed last, for as long as no row has changed. Whoever polls a list asks for the same one again
 * and again, and it need not be put together each time.
 *
 * @example
 * const page = latest.get('project:1 0 100', [table.version, shown], () => slice)
 */
export class PageCache<T> {
  #asked = ''
  #sources: PageVersion | null = null
  #page: Slice<T> | null = null

  /**
   * @param asked all that tells pages of the same rows apart
   * @param make gives the page where it is another one, or was of other rows
   */
  get(asked: string, sources: PageVersion, make: () => Slice<T>): Slice<T> {
    if (this.#page && asked === this.#asked && this.#isOf(sources)) return this.#page
    const page = make()
    const isKept = page.rows.length <= maxCachedRows
    this.#asked = asked
    this.#sources = sources
    this.#page = isKept ? page : null
    return page
  }

  #isOf([rows, shown]: PageVersion): boolean {
    return this.#sources?.[0] === rows && this.#sources[1] === shown
  }
}
