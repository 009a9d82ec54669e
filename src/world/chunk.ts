import { JoinedText } from './joined-text.ts'

/** In rows. A write moves the rows of one chunk, a count walks all chunks: this keeps both fast. */
const LARGEST = 1024
const USUAL = 512

/** How many searches a chunk remembers; the oldest goes first. */
const REMEMBERED = 8

/** What a chunk needs to know of its rows. */
export interface Reading<R> {
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
  readonly #reading: Reading<R>
  /** Who has this token may splice here; for all others the rows stand still. */
  readonly #owner: object | null
  #ranks: number[] | null = null
  #text: JoinedText | null = null
  #hits: Map<string, Chunk<R>> | null = null

  constructor(rows: R[], reading: Reading<R>, owner: object | null = null) {
    this.#rows = rows
    this.#reading = reading
    this.#owner = owner
  }

  get rows(): readonly R[] {
    return this.#rows
  }

  /** Of each row. @note Side by side: the rows are far away, and finding a place in a large list asks many. */
  get ranks(): readonly number[] {
    this.#ranks ??= this.#rows.map(this.#reading.rank)
    return this.#ranks
  }

  /**
   * The rows that hold every term, as a chunk of their own, which can be searched as any other.
   * The terms come with one space between them.
   */
  matching(terms: string): Chunk<R> {
    this.#hits ??= new Map()
    const known = this.#hits.get(terms)
    if (known) return known

    this.#text ??= new JoinedText(this.#rows.map((row) => this.#reading.text(row)))
    const hits = this.#text.find(terms.split(' ')).map((index) => this.#rows[index] as R)
    const found = new Chunk(hits, this.#reading)
    this.#hits.set(terms, found)
    const [oldest = terms] = this.#hits.keys()
    if (this.#hits.size > REMEMBERED) this.#hits.delete(oldest)
    return found
  }

  /** This chunk when the owner may splice it already, else a copy for the owner. */
  ownedBy(owner: object): Chunk<R> {
    return this.#owner === owner ? this : new Chunk(this.#rows.slice(), this.#reading, owner)
  }

  splice(index: number, deleteCount: number, rows: readonly R[]): void {
    this.#rows.splice(index, deleteCount, ...rows)
    this.#ranks?.splice(index, deleteCount, ...rows.map(this.#reading.rank))
    this.#text = null
    this.#hits = null
  }

  /** Puts a row in the place of one of the same rank. */
  replace(index: number, row: R): void {
    this.#rows[index] = row
    this.#text = null
    this.#hits = null
  }

  /** Nothing when empty, itself up to 1024 rows, else parts of about 512. */
  parts(): Chunk<R>[] {
    const rows = this.#rows
    if (rows.length <= LARGEST) return rows.length === 0 ? [] : [this]
    const count = Math.round(rows.length / USUAL)
    const cut = (part: number): number => Math.floor((part * rows.length) / count)
    return Array.from({ length: count }, (_, part) => {
      return new Chunk(rows.slice(cut(part), cut(part + 1)), this.#reading, this.#owner)
    })
  }
}
