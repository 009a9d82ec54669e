import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import { mapValues } from '../../utils/json.ts'
import { references } from '../../world/schema/references.ts'
import { countedListNames } from '../../world/tables.ts'
import type { ChangeStep } from '../format/scenario.ts'
import {
  generalizeLinks,
  mapLeaves,
  type ResolveName,
  singular,
  type ValueOrigin,
} from './saved-ids.ts'

type Row = Readonly<Record<string, unknown>>

/** The ids of the rows that a step adds. Their pointers lead into the ids that the step returns. */
export function idsOfAddedRows(step: ChangeStep): (ValueOrigin & { readonly key: string })[] {
  if (!('rows' in step)) return []
  const lists = Object.entries(step.rows as Readonly<Record<string, readonly Row[]>>)
  return lists
    .filter(([list]) => hasNumericIds(list))
    .flatMap(([list, rows]) =>
      rows.flatMap(({ id }, index) => {
        if (id === undefined) return []
        const key = rowKey(list, id)
        return [{ key, pointer: `/${list}/${index}`, name: `${singular(list)}_id`, type: 'number' }]
      }),
    )
}

/**
 * Replaces saved ids in a change by their names. An added row gets a new id in each replay. A fault leads a client to the
 * service that replays it.
 *
 * @param baseUrl that of the request after the change. Empty if it is not known yet
 */
export function generalizeChange(step: ChangeStep, resolve: ResolveName, baseUrl = ''): ChangeStep {
  const toSaved = (list: string, id: unknown): unknown => {
    const name = typeof id === 'number' ? resolve(rowKey(list, id), 'number') : null
    return name === null ? id : { $saved: name }
  }
  const generalizeReferences = (list: string, row: Row): Row =>
    mapValues(row, (value, field) => {
      const target = references[list as keyof typeof references]?.[field]
      if (target === undefined) return value
      return Array.isArray(value) ? value.map((id) => toSaved(target, id)) : toSaved(target, value)
    })
  const addedRow = (list: string, { id, ...row }: Row): Row =>
    generalizeReferences(list, id === undefined || hasNumericIds(list) ? row : { id, ...row })
  const updatedRow = (list: string, row: Row): Row => ({
    ...generalizeReferences(list, row),
    id: toSaved(list, row.id),
  })
  if ('rows' in step) return { ...step, rows: mapRows(step.rows, addedRow) }
  if ('update' in step) return { ...step, update: mapRows(step.update, updatedRow) }
  if ('delete' in step) return { ...step, delete: mapRows(step.delete, toSaved) }
  if ('fault' in step && baseUrl !== '') {
    const fault = mapLeaves(step.fault, (leaf) =>
      typeof leaf === 'string' ? generalizeLinks(leaf, baseUrl, resolve) : leaf,
    )
    return { ...step, fault: fault as FaultRequest }
  }
  return step
}

function mapRows<Rows extends object, Item>(
  lists: Rows,
  map: (list: string, row: Item) => unknown,
): Rows {
  return mapValues(lists, (rows, list) => (rows as readonly Item[]).map((row) => map(list, row)))
}

function rowKey(list: string, id: unknown): string {
  return `${singular(list)} ${id}`
}

function hasNumericIds(list: string): boolean {
  return (countedListNames as readonly string[]).includes(list)
}
