import type { Wire } from '../wire.ts'

/** A row in its table, with what is kept of it so as not to be worked out again. */
export class Entry<R> {
  readonly row: R
  /** Where it stands among others, but for ties. @note Kept here: rows are far away, and finding a place asks many. */
  readonly rank: number
  /** Its text, once it was sent, and the rows it shows besides its own as they were then. */
  sent: { readonly wire: Wire<unknown>; readonly shown: object } | null = null
  /** What a search looks in, once it was asked for. */
  folded: string | null | undefined = undefined

  constructor(row: R, rank: number) {
    this.row = row
    this.rank = rank
  }
}
