import type { RowChange } from '../simulator/journal/changes.ts'
import type { JournalChange } from '../simulator/journal/entry.ts'
import { isSameJson } from '../utils/json.ts'
import { type ExportedRow, isInFiles } from '../world/load/export-world.ts'
import { rowIdOf } from '../world/tables.ts'

/** A row that a request wrote. Never shown as it is. */
export class WrittenRow {
  readonly list: JournalChange['list']
  readonly id: JournalChange['id']
  readonly isNew: boolean
  /** Whether it is hidden from lists now, or removed */
  readonly isDeleted: boolean
  readonly isRestored: boolean
  readonly #change: RowChange

  constructor(change: RowChange) {
    const { list, before, after } = change
    const [was, is] = [before, after].map((row) => (row as { deleted?: unknown })?.deleted)
    this.list = list
    this.id = rowIdOf(list, (after ?? before) as object)
    this.isNew = before === undefined
    this.isDeleted = after === undefined || (is === true && was !== true)
    this.isRestored = is === false && was !== false
    this.#change = change
  }

  /** The fields that it has now. Undefined if it was removed */
  get values(): ExportedRow | undefined {
    return this.#change.after as ExportedRow | undefined
  }

  /** The values of a field before and after. Undefined for one that did not change */
  valuesOf(name: string): readonly [unknown, unknown] | undefined {
    const { before, after } = this.#change as { [Name in 'before' | 'after']?: ExportedRow }
    const [old, value] = [before?.[name] ?? null, after?.[name] ?? null]
    return isSameJson(old, value) || !isInFiles(this.list, name) ? undefined : [old, value]
  }
}
