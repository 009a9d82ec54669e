import { formatIssue, schemaIssues } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { entities } from '../../world/entities/entities.ts'
import type { Entity } from '../../world/entities/field.ts'
import { references } from '../../world/schema/references.ts'
import { rowSchemas } from '../../world/schema/world-schema.ts'
import { type ListName, worldLists } from '../../world/tables.ts'
import type { Assumption } from './assumption.ts'

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
  const { written } = entities[list] as Entity
  const row: DraftRow = {}
  for (const { name, optional, kind, default: value } of written) {
    const sent = name in place ? place[name] : shown[name]
    const found = kind === 'reference' && isObject(sent) ? sent.id : sent
    if (found !== undefined) row[name] = found
    else if (!optional) row[name] = value ?? null
  }
  return row
}

/**
 * Makes the rows of another service fit the world format: a value that no world can have is replaced by the default of
 * its field, and a row that lacks a required value is left out. Changes the lists in place.
 */
export function makeValid(lists: DraftLists): Assumption[] {
  const assumptions: Assumption[] = []
  const ids = new Map<string, Set<unknown>>()
  for (const list of worldLists) {
    const valid = lists[list].filter((row) => {
      const issues = [...repairFields(list, row), ...repairReferences(list, row, ids)]
      for (const { name, because } of issues) {
        assumptions.push({ field: `${pathOf(list, row)}.${name}`, value: row[name], because })
      }
      const [issue] = schemaIssues(rowSchemas()[list], row)
      if (!issue) return true
      const because = `The row is left out, because no world can have it: ${formatIssue(issue)}.`
      assumptions.push({ field: pathOf(list, row), value: null, because })
      return false
    })
    lists[list].splice(0, Infinity, ...valid)
    ids.set(list, new Set(valid.map(({ id }) => id)))
  }
  return assumptions
}

interface Repair {
  readonly name: string
  readonly because: string
}

/** Replaces the values that the fields of a row cannot have. */
function repairFields(list: ListName, row: DraftRow): Repair[] {
  const { error } = rowSchemas()[list].safeParse(row)
  const { stored } = entities[list] as Entity
  const names = new Set((error?.issues ?? []).map(({ path }) => String(path[0])))
  return [...names].flatMap((name) => {
    const field = stored.find((each) => each.name === name)
    if (!field || (field.default === undefined && !field.optional)) return []
    if (field.optional) delete row[name]
    else row[name] = field.default
    return [{ name, because: 'No world can have the value that the responses show.' }]
  })
}

/** Replaces references to rows that are not in the world. */
function repairReferences(
  list: ListName,
  row: DraftRow,
  ids: ReadonlyMap<string, ReadonlySet<unknown>>,
): Repair[] {
  return Object.entries(references[list] ?? {}).flatMap(([name, target]) => {
    const value = row[name]
    if (typeof value !== 'number' && typeof value !== 'string') return []
    if (ids.get(target)?.has(value)) return []
    row[name] = null
    return [{ name, because: `No response shows row ${value} of ${target}.` }]
  })
}

function pathOf(list: ListName, { id, label }: DraftRow): string {
  return `${list}[${id === undefined ? `label=${label}` : `id=${id}`}]`
}
