import { JoinedText } from './joined-text.ts'

/** In rows. A write moves the rows of one chunk, a count walks all chunks: this keeps both fast. */
const MAX_ROWS = 1024
const TARGET_ROWS = 512

/** How many searches a chunk remembers; the oldest goes first. */
const MAX_CACHED_SEARCHES = 8

/** What a chunk needs to know of its rows. */
export interface ChunkOptions<R> {
  /** In which a search looks, already folded; null is never found. */
  readonly text: (row: R) => string | null
  /** By which rows stand in order, the lowest first, but for ties. */
  readonly rank: (row: R) => number
}

/**
 * A run of neighbouring rows, with its joined text and its last searches, which a write drops.
 *
 * @example
 * const hits = new Chunk(rows, { text: ({ folded }) => folded, rank: ({ id }) => id }).matching('release 2.1').rows
 */
export class Chunk<R> {
  readonly #rows: R[]
  readonly #options: ChunkOptions<R>
  /** Who has this token may splice here; for all others the rows stand still. */
  readonly #owner: object | null
  #ranks: number[] | null = null
  #text: JoinedText | null = null
  #searches: Map<string, Chunk<R>> | null = null

  constructor(rows: R[], reading: ChunkOptions<R>, owner: object | null = null) {
    this.#rows = rows
    this.#options = reading
    this.#owner = owner
  }

  get rows(): readonly R[] {
    return this.#rows
  }

  /** Of each row. @note Side by side: the rows are far away, and finding a place in a large list asks many. */
  get ranks(): readonly number[] {
    this.#ranks ??= this.#rows.map(this.#options.rank)
    return this.#ranks
  }

  /**
   * The rows that hold every term, as a chunk of their own, which can be searched as any other.
   * The terms come with one space between them.
   */
  search(terms: string): Chunk<R> {
    this.#searches ??= new Map()
    const known = this.#searches.get(terms)
    if (known) return known

    this.#text ??= new JoinedText(this.#rows.map((row) => this.#options.text(row)))
    const hits = this.#text.find(terms.split(' ')).map((index) => this.#rows[index] as R)
    const found = new Chunk(hits, this.#options)
    this.#searches.set(terms, found)
    const [oldest = terms] = this.#searches.keys()
    if (this.#searches.size > MAX_CACHED_SEARCHES) this.#searches.delete(oldest)
    return found
  }

  /** This chunk when the owner may splice it already, else a copy for the owner. */
  ownedBy(owner: object): Chunk<R> {
    return this.#owner === owner ? this : new Chunk(this.#rows.slice(), this.#options, owner)
  }

  splice(index: number, deleteCount: number, rows: readonly R[]): void {
    this.#rows.splice(index, deleteCount, ...rows)
    this.#ranks?.splice(index, deleteCount, ...rows.map(this.#options.rank))
    this.#text = null
    this.#searches = null
  }

  /** Puts a row in the place of one of the same rank. */
  replace(index: number, row: R): void {
    this.#rows[index] = row
    this.#text = null
    this.#searches = null
  }

  /** Nothing when empty, itself up to 1024 rows, else parts of about 512. */
  split(): Chunk<R>[] {
    const rows = this.#rows
    if (rows.length <= MAX_ROWS) return rows.length === 0 ? [] : [this]
    const count = Math.round(rows.length / TARGET_ROWS)
    const cut = (part: number): number => Math.floor((part * rows.length) / count)
    return Array.from({ length: count }, (_, part) => {
      return new Chunk(rows.slice(cut(part), cut(part + 1)), this.#options, this.#owner)
    })
  }
}
