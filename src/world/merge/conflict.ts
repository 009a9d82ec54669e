import type { ListName } from '../table/lists.ts'
import type { RowId } from '../table/row-lookup.ts'
import { differingFields } from './same.ts'

/** A row that changed in a world's next version, and stays as it is. */
export interface ReloadConflict {
  readonly list: ListName
  /** Of a key its label: its value is secret */
  readonly id: RowId
  /** Why, in words that follow the name of the row */
  readonly reason: string
}

/** A row in the three versions of a world. */
interface Met {
  readonly before: object | undefined
  readonly now: object | undefined
  readonly after: object | undefined
}

/** A row that was written since. */
export function conflictOf(list: ListName, id: RowId, met: Met): ReloadConflict {
  return { list, id: shownId(id, met.now ?? met.after), reason: reasonOf(met) }
}

/** The id of a row as it may be told. */
export function shownId(id: RowId, row: object | undefined): RowId {
  const { value, label } = (row ?? {}) as { value?: string; label?: string }
  if (value === undefined || label === undefined) return id
  return label === value ? 'without a label' : label
}

function reasonOf({ before, now, after }: Met): string {
  if (now === undefined) return 'was taken out since, and stays so'
  if (before === undefined) return 'was created since, and stays as it is'
  if (after === undefined) return 'was written since, and stays'
  const own = differingFields(now, after)
  return `was written since, and stays as it is (${own.join(', ')})`
}
