import { entities } from '../entities/entities.ts'
import { type ListName, worldLists } from '../tables.ts'

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
    return [list, stored.find(({ internal }) => internal)?.name]
  }),
)

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
