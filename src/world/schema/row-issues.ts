import {
  findIssues,
  type Issue,
  inspectValue,
  issuesWithin,
  type Path,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { schemaIssues } from '../../utils/schema-issues.ts'
import { entities } from '../entities/entities.ts'
import type { Entity, Field, ReferencedList, WritingSettings } from '../entities/field.ts'
import type { ListName, Tables } from '../tables.ts'
import type { WorldJson } from '../world-json.ts'
import { isReference, isValidIn, rowSchemas } from './world-schema.ts'

type Id = number | string

/** The fields of each list that hold the id, or the ids, of rows of another list. */
export const references = Object.fromEntries(
  Object.entries<Entity>(entities)
    .map(([list, { written }]) => {
      const fields = written.filter((field) => field.list)
      // Fields that responses do not have say where a row belongs.
      fields.sort((a, b) => Number(b.sent === false) - Number(a.sent === false))
      return [list, Object.fromEntries(fields.map(({ name, list: target }) => [name, target]))]
    })
    .filter(([, fields]) => Object.keys(fields as object).length > 0),
) as { readonly [List in ListName]?: { readonly [field: string]: ReferencedList } }

function findDanglingReferences(
  list: string,
  row: object,
  exists: (list: ReferencedList, id: Id) => boolean,
) {
  const fields = references[list as ListName] ?? {}
  const issues: Issue[] = []
  for (const field in fields) {
    const target = fields[field] as ReferencedList
    const value = (row as Record<string, unknown>)[field] ?? null
    if (!Array.isArray(value)) {
      if (value !== null && !exists(target, value as Id))
        issues.push(missing([field], target, value))
      continue
    }
    const find = (id: Id | null, index: number) =>
      id === null || exists(target, id) ? [] : [missing([field, index], target, id)]
    issues.push(...findIssues(value, find))
  }
  return issues
}

function missing(path: Path, target: ReferencedList, id: unknown): Issue {
  return { path, text: `expected an id in ${target}, got ${inspectValue(id)}` }
}

/** Finds the rows that reference a row, at most ten, each as an issue such as `annotations 7: dashboard_item`. */
export function findReferencingRows(
  target: string,
  id: Id,
  rows: (list: string) => Iterable<object>,
): Issue[] {
  const issues: Issue[] = []
  for (const [list, fields] of Object.entries(references)) {
    const referencing = Object.keys(fields).filter((field) => fields[field] === target)
    if (referencing.length === 0) continue
    for (const row of rows(list)) {
      for (const field of referencing) {
        const ids = (row as Record<string, unknown>)[field]
        if (ids !== id && !(Array.isArray(ids) && ids.includes(id))) continue
        const { id: rowId, value } = row as { id?: Id; value?: string }
        issues.push({ path: ['id'], text: `${list} ${rowId ?? value} references it (${field})` })
        if (issues.length === 10) return issues
      }
    }
  }
  return issues
}

export function findReferenceIssues(world: WorldJson): Issue[] {
  const nextIds: { readonly [list: string]: number | undefined } = world.next_ids ?? {}
  const idsOf = new Map(checkedLists.map((list) => [list, readIds(world, list)]))
  const issues = [...idsOf].flatMap(([list, { repeated, highest }]) => {
    const nextId = nextIds[list]
    if (nextId === undefined || nextId > highest) return repeated
    const text = `expected more than ${highest}, the highest id, got ${nextId}`
    return [...repeated, { path: ['next_ids', list], text }]
  })
  const exists = (list: ReferencedList, id: Id) => {
    const { ids, isIncomplete } = idsOf.get(list) as Ids
    // Another value is an issue of its field.
    return ids.has(id) || isIncomplete || !isReference(id, { list })
  }
  for (const list of Object.keys(references)) {
    const dangling = findIssues(rowsIn(world, list), (row, index) =>
      issuesWithin([list, index], findDanglingReferences(list, row ?? {}, exists)),
    )
    issues.push(...dangling)
  }
  return issues
}

export function findRepeatedIds(world: WorldJson): Issue[] {
  return checkedLists.flatMap((list) => readIds(world, list).repeated)
}

const checkedLists = ['organizations', ...Object.keys(references)]

interface Ids {
  readonly ids: ReadonlySet<unknown>
  readonly repeated: readonly Issue[]
  readonly highest: number
  /** Whether a row has no readable id. It can be the one that others reference. */
  readonly isIncomplete: boolean
}

function readIds(world: WorldJson, list: string): Ids {
  const name = list === 'keys' ? 'value' : 'id'
  const type = list === 'keys' || list === 'organizations' ? 'string' : 'number'
  const ids = new Set<unknown>()
  const repeated: Issue[] = []
  let highest = 0
  let isIncomplete = !Array.isArray(world[list as keyof WorldJson] ?? [])
  rowsIn(world, list).forEach((row, index) => {
    const id = row?.[name]
    if (typeof id !== type) isIncomplete = true
    else if (ids.size === ids.add(id).size) {
      const text = `expected a unique value, got ${inspectValue(id)} again`
      repeated.push({ path: [list, index, name], text })
    }
    if (typeof id === 'number' && id > highest) highest = id
  })
  return { ids, repeated, highest, isIncomplete }
}

function rowsIn(world: WorldJson, list: string): readonly Record<string, unknown>[] {
  const rows: unknown = world[list as keyof WorldJson]
  return Array.isArray(rows) ? rows : []
}

/**
 * Finds the issues of the fields of a row. What clients can write under these settings is none.
 *
 * @param isValid the test of rows of the list
 */
export function findFieldIssues(
  list: ListName,
  row: object,
  settings: WritingSettings,
  isValid: (row: unknown) => boolean = createRowTest(list, settings),
): Issue[] {
  if (isValid(row)) return []
  const values: Record<string, unknown> = Object(row)
  const valid = entities[list].written
    .filter((field) => isValidIn(field, values[field.name], settings))
    .map(({ name }) => name)
  return schemaIssues(rowSchemas()[list], row).filter(
    ({ path: [name] }) => !(valid as unknown[]).includes(name),
  )
}

/**
 * Creates a test of rows, which is all that a valid row needs. Most of the values of a row are those of the row before: they are
 * not tested again.
 */
export function createRowTest(
  list: ListName,
  settings: WritingSettings,
): (row: unknown) => boolean {
  const fields: readonly Field[] = entities[list].written
  /** By index: the last valid value */
  const valid: unknown[] = fields.map(() => fields)
  return (row) => {
    if (!isObject(row)) return false
    let count = 0
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index] as Field
      const value = row[field.name]
      if (value === undefined && field.inFiles === 'maybe') continue
      if (value !== valid[index]) {
        if (!isValidIn(field, value, settings)) return false
        valid[index] = value
      }
      count += 1
    }
    return count === Object.keys(row).length
  }
}

interface WrittenWorld {
  readonly tables: Tables
  readonly settings?: WritingSettings
}

/**
 * Finds the issues of a row that is about to be written: of its fields, else of its references.
 *
 * @param before the row that it replaces. A field with the same value is not checked, because it can have been written
 *   under other settings
 */
export function findRowIssues(
  { tables, settings }: WrittenWorld,
  list: ListName,
  row: object,
  before?: object,
): Issue[] {
  const isChanged = ({ path: [field] }: Issue) =>
    !before || !field || Reflect.get(row, field) !== Reflect.get(before, field)
  const issues = findFieldIssues(list, row, settings).filter(isChanged)
  if (issues.length > 0) return issues
  return findDanglingReferences(list, row, (target, id) => {
    if (target === 'organizations') return tables.organizations.get(String(id)) !== undefined
    return typeof id === 'number' && tables[target].get(id) !== undefined
  })
}
