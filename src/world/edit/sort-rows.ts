import { unknownWord } from '../../utils/usage-error.ts'
import { entities } from '../entities/entities.ts'
import type { ListName } from '../table/lists.ts'

/**
 * Checks the sorting of a list: a field, after a minus sign for the descending order.
 *
 * @throws UsageError for a field that the list does not have
 */
export function checkSorting(list: ListName, sort: string): void {
  const fields = entities[list].stored
    .filter(({ isInternal }) => !isInternal)
    .map(({ name }) => name)
  const field = fieldOf(sort)
  if (!fields.includes(field)) throw unknownWord('sort rows', fields, field, 'sort')
}

/**
 * Sorts rows by a field. Rows without a value come last in both directions, and equal rows keep their order.
 *
 * @param toRow returns the row of an item
 * @example sortRows([{ id: 1 }, { id: 2 }], '-id', (row) => row) // [{ id: 2 }, { id: 1 }]
 */
export function sortRows<T>(items: readonly T[], sort: string, toRow: (item: T) => object): T[] {
  const field = fieldOf(sort)
  const direction = sort.startsWith('-') ? -1 : 1
  return items
    .map((item) => ({ item, value: toSortable(Reflect.get(toRow(item), field)) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a < b ? -direction : a > b ? direction : 0
    })
    .map(({ item }) => item)
}

function fieldOf(sort: string): string {
  return sort.replace('-', '')
}

/** Lists and objects are sorted by their JSON. */
function toSortable(value: unknown): string | number | boolean | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return (value as string | number | boolean | null | undefined) ?? null
}
