import type { ChangeStep } from '../scenarios/scenario.ts'
import { references } from '../world/references.ts'
import { countedListNames } from '../world/world-lists.ts'
import type { ResolveTypedName } from './asked.ts'
import { singular } from './kinds.ts'
import type { ValueOrigin } from './origins.ts'

type Row = Readonly<Record<string, unknown>>

/** An id that a step gives to a row. */
interface AddedRowId extends ValueOrigin {
  readonly key: string
}

/** The ids of the rows that a step adds, each with where it is saved from. */
export function idsOfAddedRows(step: ChangeStep): AddedRowId[] {
  if (!('rows' in step)) return []
  return Object.entries(step.rows as Readonly<Record<string, readonly Row[]>>).flatMap(
    ([list, rows]) =>
      rows.flatMap(({ id }, index) =>
        id === undefined || !hasNumericIds(list)
          ? []
          : [
              {
                key: rowKey(list, id),
                pointer: `/${list}/${index}`,
                name: `${singular(list)}_id`,
                type: 'number',
              },
            ],
      ),
  )
}

/** A change with names in place of the ids that are saved; a row that is added gets its id where it is added. */
export function generalizeChange(step: ChangeStep, resolve: ResolveTypedName): ChangeStep {
  const saved = (list: string, id: unknown): unknown => {
    const name = typeof id === 'number' ? resolve(rowKey(list, id), 'number') : null
    return name === null ? id : { $saved: name }
  }
  const fields = (list: string, row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([field, value]) => {
        const target = references[list as keyof typeof references]?.[field]
        if (target === undefined) return [field, value]
        return [
          field,
          Array.isArray(value) ? value.map((id) => saved(target, id)) : saved(target, value),
        ]
      }),
    )
  const added = (list: string, { id, ...row }: Row): Row =>
    fields(list, id === undefined || hasNumericIds(list) ? row : { id, ...row })
  const changed = (list: string, row: Row): Row => ({
    ...fields(list, row),
    id: saved(list, row.id),
  })
  if ('rows' in step) return { ...step, rows: mapRows(step.rows, added) }
  if ('update' in step) return { ...step, update: mapRows(step.update, changed) }
  if ('delete' in step) return { ...step, delete: mapRows(step.delete, saved) }
  return step
}

function mapRows<Rows extends object>(
  lists: Rows,
  map: (list: string, row: never) => unknown,
): Rows {
  return Object.fromEntries(
    Object.entries(lists).map(([list, rows]) => [list, rows.map((row: never) => map(list, row))]),
  ) as Rows
}

function rowKey(list: string, id: unknown): string {
  return `${singular(list)} ${id}`
}

function hasNumericIds(list: string): boolean {
  return (countedListNames as readonly string[]).includes(list)
}
