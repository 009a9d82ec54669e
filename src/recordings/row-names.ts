import type { ChangeStep } from '../scenarios/scenario.ts'
import { references } from '../world/references.ts'
import { countedNames } from '../world/world-lists.ts'
import type { ResolveTyped } from './asked.ts'
import { singular } from './kinds.ts'
import type { Origin } from './origins.ts'

type Row = Readonly<Record<string, unknown>>

/** An id that a step gives to a row. */
interface Made extends Origin {
  readonly key: string
}

/** The ids of the rows that a step adds, each with where it is saved from. */
export function idsMadeBy(step: ChangeStep): Made[] {
  if (!('rows' in step)) return []
  return Object.entries(step.rows as Readonly<Record<string, readonly Row[]>>).flatMap(
    ([list, rows]) =>
      rows.flatMap(({ id }, index) =>
        id === undefined || !isCounted(list)
          ? []
          : [
              {
                key: keyOf(list, id),
                pointer: `/${list}/${index}`,
                name: `${singular(list)}_id`,
                type: 'number',
              },
            ],
      ),
  )
}

/** A change with names in place of the ids that are saved; a row that is added gets its id where it is added. */
export function namedChange(step: ChangeStep, resolve: ResolveTyped): ChangeStep {
  const saved = (list: string, id: unknown): unknown => {
    const name = typeof id === 'number' ? resolve(keyOf(list, id), 'number') : null
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
    fields(list, id === undefined || isCounted(list) ? row : { id, ...row })
  const changed = (list: string, row: Row): Row => ({
    ...fields(list, row),
    id: saved(list, row.id),
  })
  if ('rows' in step) return { ...step, rows: mapped(step.rows, added) }
  if ('update' in step) return { ...step, update: mapped(step.update, changed) }
  if ('delete' in step) return { ...step, delete: mapped(step.delete, saved) }
  return step
}

function mapped<Rows extends object>(
  lists: Rows,
  map: (list: string, row: never) => unknown,
): Rows {
  return Object.fromEntries(
    Object.entries(lists).map(([list, rows]) => [list, rows.map((row: never) => map(list, row))]),
  ) as Rows
}

function keyOf(list: string, id: unknown): string {
  return `${singular(list)} ${id}`
}

function isCounted(list: string): boolean {
  return (countedNames as readonly string[]).includes(list)
}
