import type { Entry } from './entry.ts'
import { type ListRules, NamedLists } from './named-lists.ts'
import { Pages } from './pages.ts'

/** What a table holds: its rows by id, and in lists. */
export class Stored<R extends { readonly id: number }> {
  readonly byId: Pages<Entry<R>>
  readonly lists: NamedLists<R>
  /** The highest id it began with; 0 without rows. */
  readonly highest: number

  constructor(byId: Pages<Entry<R>>, lists: NamedLists<R>, highest: number) {
    this.byId = byId
    this.lists = lists
    this.highest = highest
  }

  fork(): Stored<R> {
    return new Stored(this.byId.fork(), this.lists.fork(), this.highest)
  }
}

/** Puts the first rows in place. */
export function stock<R extends { readonly id: number }>(
  rules: ListRules<R>,
  entries: Entry<R>[],
): Stored<R> {
  const byId = new Pages<Entry<R>>()
  entries.sort((a, b) => a.row.id - b.row.id)
  for (const entry of entries) byId.set(entry.row.id, entry)
  return new Stored(byId, new NamedLists(rules, entries), entries.at(-1)?.row.id ?? 0)
}
