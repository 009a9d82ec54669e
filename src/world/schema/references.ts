import { inspectValue } from '../../utils/usage-error.ts'
import type { Tables } from '../table/tables.ts'
import type { WorldJson } from '../world-json.ts'

type Id = number | string

/** The lists of a world whose rows other rows can name. */
export type ReferencedList = 'organizations' | 'projects' | 'users' | 'dashboard_items' | 'plugins'

/** Which fields of a list name rows of another list, one or several. */
export const references: {
  readonly [List in keyof WorldJson]?: { readonly [field: string]: ReferencedList }
} = {
  projects: { organization: 'organizations' },
  users: { organizations: 'organizations', current_project: 'projects' },
  keys: { user: 'users', projects: 'projects', organizations: 'organizations' },
  dashboard_items: { project: 'projects' },
  plugins: { organization: 'organizations' },
  plugin_configs: { plugin: 'plugins', project: 'projects' },
  annotations: { project: 'projects', dashboard_item: 'dashboard_items', created_by: 'users' },
  activity: { user: 'users', organization: 'organizations', project: 'projects' },
}

/** The references of one row that lead nowhere, each with its path. */
export function findDanglingReferences(
  list: string,
  row: object,
  exists: (list: ReferencedList, id: Id) => boolean,
): string[] {
  return Object.entries(references[list as keyof typeof references] ?? {}).flatMap(
    ([field, target]) => {
      const named = (row as Record<string, unknown>)[field]
      const isList = Array.isArray(named)
      const ids: unknown[] = isList ? named : [named ?? null]
      return ids.flatMap((id, position) =>
        id === null || exists(target, id as Id)
          ? []
          : [
              `${field}${isList ? `[${position}]` : ''}: expected the id of one of ${target}, got ${inspectValue(id)}`,
            ],
      )
    },
  )
}

/** The rows of a world that name a row, each with its path, at most ten. */
export function findReferencingRows(
  target: string,
  id: Id,
  rows: (list: string) => Iterable<object>,
): string[] {
  const names: string[] = []
  for (const [list, fields] of Object.entries(references)) {
    const naming = Object.keys(fields).filter((field) => fields[field] === target)
    if (naming.length === 0) continue
    for (const row of rows(list)) {
      for (const field of naming) {
        const named = (row as Record<string, unknown>)[field]
        if (named !== id && !(Array.isArray(named) && named.includes(id))) continue
        const { id: own, value } = row as { id?: Id; value?: string }
        names.push(`${list} ${own ?? value}: ${field}`)
        if (names.length === 10) return names
      }
    }
  }
  return names
}

/** Whatever a world repeats that has to be unique, and whatever its rows name that is not there. */
export function findWorldReferenceIssues(world: WorldJson): string[] {
  const ids = new Map<string, Set<Id>>()
  const faults: string[] = []
  for (const list of ['organizations', ...Object.keys(references)]) {
    const found = new Set<Id>()
    ids.set(list, found)
    rowsOf(world, list).forEach((row, index) => {
      const [field, id] = list === 'keys' ? ['value', row.value as Id] : ['id', row.id as Id]
      if (found.has(id)) {
        faults.push(
          `${list}[${index}].${field}: expected each only once, got ${inspectValue(id)} again`,
        )
      }
      found.add(id)
    })
  }
  const exists = (list: ReferencedList, id: Id): boolean => ids.get(list)?.has(id) ?? false
  for (const list of Object.keys(references) as (keyof typeof references)[]) {
    rowsOf(world, list).forEach((row, index) => {
      const missing = findDanglingReferences(list, row, exists)
      faults.push(...missing.map((fault) => `${list}[${index}].${fault}`))
    })
  }
  for (const [list, next] of Object.entries(world.next_ids ?? {})) {
    let highest = 0
    for (const id of ids.get(list) ?? []) highest = Math.max(highest, Number(id))
    if (next !== undefined && next <= highest) {
      faults.push(`next_ids.${list}: expected more than ${highest}, the highest id, got ${next}`)
    }
  }
  return faults
}

function rowsOf(world: WorldJson, list: string): readonly Record<string, unknown>[] {
  return (world[list as keyof WorldJson] ?? []) as readonly Record<string, unknown>[]
}

/** Whether a list has a row of an id. */
export function hasRow(tables: Tables, list: ReferencedList, id: number | string): boolean {
  if (list === 'organizations') return tables.organizations.get(String(id)) !== undefined
  return typeof id === 'number' && tables[list].get(id) !== undefined
}
