import { bisect } from './bisect.ts'

/** Neighbouring rows, by ascending id. Who has its token may change it; for all others it stands still. */
export class RowPage<R> {
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
