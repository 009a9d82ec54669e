import type { OrderedRows } from './sorted-list.ts'

/**
 * Folds a text for search as the database of the service does: character by character, so that ß does not match ss.
 * Lower-casing a whole text would write a final sigma differently.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** The folded words of a search, which commas and white space separate. @example searchTerms('Spring, ends') */
export function searchTerms(text: string): string[] {
  return foldText(text)
    .split(/[\s,]+/)
    .filter((term) => term !== '')
}

/** Whether a text contains every folded term, in any case. Null contains none. */
export function matchesTerms(text: string | null, terms: readonly string[]): boolean {
  return terms.length === 0 || includesTerms(text === null ? '' : foldText(text), terms)
}

function includesTerms(folded: string, terms: readonly string[]): boolean {
  return terms.every((term) => folded.includes(term))
}

/** What a page of rows is taken from. */
type Found<Row> = Pick<OrderedRows<Row>, 'size' | 'slice'>

interface SearchedTable<Row> {
  /** Another object after each write */
  readonly version: object
  listed(...names: readonly string[]): OrderedRows<Row>
}

/** Rows of a list, and their folded texts at the same indexes. */
interface SearchedRows<Row> {
  readonly rows: readonly Row[]
  readonly folded: readonly string[]
}

/** The folded texts of lists, until a list is written: a search of many rows is mostly the folding of their texts. */
export class SearchTexts<Row> {
  readonly #textOf: (row: Row) => string | null
  readonly #byVersion = new WeakMap<object, Map<string, SearchedRows<Row>>>()

  constructor(textOf: (row: Row) => string | null) {
    this.#textOf = textOf
  }

  /**
   * Finds the rows whose text contains every term, in their order. Without terms, all of them.
   *
   * @param names of the lists of a table, whose rows are merged
   */
  find(table: SearchedTable<Row>, names: readonly string[], terms: readonly string[]): Found<Row> {
    const all = table.listed(...names)
    if (terms.length === 0) return all
    const name = names.join()
    const lists = this.#byVersion.get(table.version) ?? new Map<string, SearchedRows<Row>>()
    this.#byVersion.set(table.version, lists)
    const { rows, folded } = lists.get(name) ?? this.#fold(all.slice(0, all.size))
    lists.set(name, { rows, folded })
    const found = rows.filter((_, index) => includesTerms(folded[index] as string, terms))
    return {
      size: found.length,
      slice: (offset, limit) => found.slice(offset, offset + limit),
    }
  }

  #fold(rows: readonly Row[]): SearchedRows<Row> {
    return { rows, folded: rows.map((row) => foldText(this.#textOf(row) ?? '')) }
  }
}
