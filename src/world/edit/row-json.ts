import { diffValues } from '../../utils/diff.ts'
import { entities } from '../entities/entities.ts'
import { KeyedTable } from '../table.ts'
import { type ListName, type Tables, worldLists } from '../tables.ts'

export type RowJson = Readonly<Record<string, unknown>>

/** Converts a row to the world format, keys included. Returns null for no row. */
export function toRowJson(list: ListName, row: object | undefined): RowJson | null {
  if (row === undefined) return null
  const internal = internalFields[list]
  if (internal === undefined) return row as RowJson
  const { [internal]: _, ...json } = row as RowJson
  return json
}

/** The field of a list that world files do not have. No list has two of them. */
const internalFields: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  worldLists.map((list) => {
    const { stored } = entities[list]
    return [list, stored.find(({ isInternal }) => isInternal)?.name]
  }),
)

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The rows of a list that can differ from those of a fork. */
export function unsharedRows(list: ListName, tables: Tables, fork: Tables): readonly object[] {
  const [table, other] = [tables[list], fork[list]]
  if (table instanceof KeyedTable || other instanceof KeyedTable) return [...table.values()]
  return [...table.values()].filter((row) => other.get(row.id) !== row)
}

/** Whether two rows have the same fields, in any order. Undefined stands for a missing row. */
export function isSameRow(one: object | undefined, other: object | undefined): boolean {
  // Forks share most of their rows.
  if (one === other) return true
  return one && other ? diffValues(one, other, { isExact: true }).length === 0 : false
}
