import type { TableEntry } from './entry.ts'
import { type IndexRules, TableIndexes } from './named-lists.ts'
import { PagedMap } from './pages.ts'

/** What a table holds: its rows by id, and in lists. */
export class TableRows<R extends { readonly id: number }> {
  readonly byId: PagedMap<TableEntry<R>>
  readonly indexes: TableIndexes<R>
  /** The highest id it began with; 0 without rows. */
  readonly highestId: number

  constructor(byId: PagedMap<TableEntry<R>>, lists: TableIndexes<R>, highest: number) {
    this.byId = byId
    this.indexes = lists
    this.highestId = highest
  }

  fork(): TableRows<R> {
    return new TableRows(this.byId.fork(), this.indexes.fork(), this.highestId)
  }
}

/** Puts the first rows in place. */
export function createTableRows<R extends { readonly id: number }>(
  rules: IndexRules<R>,
  entries: TableEntry<R>[],
): TableRows<R> {
  const byId = new PagedMap<TableEntry<R>>()
  entries.sort((a, b) => a.row.id - b.row.id)
  for (const entry of entries) byId.set(entry.row.id, entry)
  return new TableRows(byId, new TableIndexes(rules, entries), entries.at(-1)?.row.id ?? 0)
}
