import { flattenString, JsonText } from '../../utils/json-text.ts'

/** A row in its table, with values that were computed from it. */
export interface TableEntry<R> {
  readonly row: R
  /** The primary sort key. Stored here, because a search for a position reads many ranks. */
  readonly rank: number
  /** The JSON text of a row that was sent again, and the embedded rows at that time. */
  serialized: { readonly wire: JsonText<unknown>; readonly shown: object } | null
  /** The searchable text after the first search. */
  searchText: string | null | undefined
}

/** Creates entries with an object literal, because V8 allocates long-lived literals in its old space, without a copy. */
export function createEntry<R>(row: R, rank: number): TableEntry<R> {
  return { row, rank, serialized: null, searchText: undefined }
}

/** How many rows keep their text, and the longest such text in bytes. Few texts, so that an evicted one is freed soon. */
const [maxTexts, maxTextBytes] = [2_048, 1_024]

/** Marks an entry that was sent once. */
const sentOnce: TableEntry<object>['serialized'] = { wire: new JsonText('null'), shown: {} }

/**
 * Limits the memory of the texts that rows keep. A row keeps its text when it is sent for the second time: most texts
 * are never sent again, and then they are freed at once. A further row takes the place of the oldest one.
 */
export class RecentTexts {
  readonly #entries: TableEntry<object>[] = []
  #next = 0

  keep(entry: TableEntry<object>, serialized: NonNullable<TableEntry<object>['serialized']>): void {
    if (serialized.wire.bytes > maxTextBytes) return
    if (entry.serialized) {
      flattenString(serialized.wire.text)
      entry.serialized = serialized
      return
    }
    const oldest = this.#entries[this.#next]
    if (oldest) oldest.serialized = null
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % maxTexts
    entry.serialized = sentOnce
  }
}
