import type { JsonText } from '../wire.ts'

/** A row in its table, with what is kept of it so as not to be worked out again. */
export interface TableEntry<R> {
  readonly row: R
  /** Where it stands among others, but for ties. @note Kept here: rows are far away, and finding a place asks many. */
  readonly rank: number
  /** Its text, once it was sent, and the rows it shows besides its own as they were then. */
  serialized: { readonly wire: JsonText<unknown>; readonly shown: object } | null
  /** What a search looks in, once it was asked for. */
  searchText: string | null | undefined
}

/** @note A literal: they live long, and of literals that do V8 makes the next ones old at once, with nothing to copy. */
export function createEntry<R>(row: R, rank: number): TableEntry<R> {
  return { row, rank, serialized: null, searchText: undefined }
}
