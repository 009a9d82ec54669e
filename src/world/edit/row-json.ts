import { toAnnotationJson } from '../load/export-world.ts'
import type { AnnotationRow } from '../rows.ts'
import type { ListName } from '../table/lists.ts'

export type RowJson = Readonly<Record<string, unknown>>

/** Converts a row to the world format, keys included. Returns null for no row. */
export function toRowJson(list: ListName, row: object | undefined): RowJson | null {
  if (row === undefined) return null
  return (list === 'annotations' ? toAnnotationJson(row as AnnotationRow) : row) as RowJson
}

export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
