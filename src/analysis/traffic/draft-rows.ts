import { isObject } from '../../utils/json.ts'
import { entities } from '../../world/entities/entities.ts'
import type { Entity } from '../../world/entities/entity.ts'
import type { ListName } from '../../world/table/tables.ts'

/** A row in the world format, which is completed while the world is built. */
export type DraftRow = Record<string, unknown>

/** The rows of a world while it is built. */
export type DraftLists = { readonly [List in ListName]: DraftRow[] }

export function createDraftLists(): DraftLists {
  const lists = Object.keys(entities).map((list): [string, DraftRow[]] => [list, []])
  return Object.fromEntries(lists) as DraftLists
}

/** Converts a row of a response to the world format. @param place fields that responses do not have */
export function toDraft(
  list: ListName,
  shown: Readonly<Record<string, unknown>>,
  place: DraftRow,
): DraftRow {
  const { stored } = entities[list] as Entity
  const row: DraftRow = {}
  for (const { name, isInternal, isOptional, kind, default: value } of stored) {
    if (isInternal) continue
    const sent = name in place ? place[name] : shown[name]
    const found = kind === 'reference' && isObject(sent) ? sent.id : sent
    if (found !== undefined) row[name] = found
    else if (!isOptional) row[name] = value ?? null
  }
  return row
}
