import type { ListName } from '../table/lists.ts'
import { findRow, type RowId, rowIdOf } from '../table/row-lookup.ts'
import type { Tables } from '../table/tables.ts'

/** A world, the version of it that follows, and what has become of the first in the meantime. */
export interface Versions {
  readonly before: Tables
  readonly after: Tables
  readonly now: Tables
}

/** Rows as they would be: those that are there, but for what is set. */
export class Draft {
  readonly versions: Versions
  readonly #set = new Map<ListName, Map<RowId, object | undefined>>()

  constructor(versions: Versions) {
    this.versions = versions
  }

  /** @param row undefined takes it out */
  set(list: ListName, id: RowId, row: object | undefined): void {
    const rows = this.#set.get(list) ?? new Map()
    this.#set.set(list, rows.set(id, row))
  }

  /** Leaves a row as it is. */
  unset(list: ListName, id: RowId): void {
    this.#set.get(list)?.delete(id)
  }

  /** What is set in a list: by id, undefined for what is taken out. */
  changes(list: ListName): ReadonlyMap<RowId, object | undefined> {
    return this.#set.get(list) ?? new Map()
  }

  get(list: ListName, id: RowId): object | undefined {
    const rows = this.#set.get(list)
    return rows?.has(id) ? rows.get(id) : findRow(this.versions.now, list, id)
  }

  /** The rows of a list, as they would be. */
  *values(list: ListName): Iterable<object> {
    const changes = this.changes(list)
    for (const row of this.versions.now[list].values()) {
      if (!changes.has(rowIdOf(list, row))) yield row
    }
    for (const row of changes.values()) if (row !== undefined) yield row
  }
}
