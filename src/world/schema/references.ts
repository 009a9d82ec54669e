import { issuesWithin } from '../../utils/issues.ts'
import { stepSize } from '../../utils/steps.ts'
import { type Issue, inspectValue, type Path } from '../../utils/usage-error.ts'
import { entities } from '../entities/entities.ts'
import type { Entity } from '../entities/entity.ts'
import type { ReferencedList } from '../entities/field.ts'
import type { ListName, Tables } from '../table/tables.ts'
import type { WorldJson } from '../world-json.ts'

type Id = number | string

/** The fields of each list that hold the id, or the ids, of rows of another list. */
export const references = Object.fromEntries(
  Object.entries<Entity>(entities)
    .map(([list, { stored }]) => {
      const fields = stored.filter((field) => field.list && !field.isInternal)
      // Fields that responses do not have say where a row belongs.
      fields.sort((a, b) => Number(b.isHidden ?? false) - Number(a.isHidden ?? false))
      return [list, Object.fromEntries(fields.map(({ name, list: target }) => [name, target]))]
    })
    .filter(([, fields]) => Object.keys(fields as object).length > 0),
) as { readonly [List in ListName]?: { readonly [field: string]: ReferencedList } }

/** The lists whose rows others reference. */
export const referencedLists: ReadonlySet<string> = new Set(
  Object.values(references).flatMap((fields) => Object.values(fields)),
)

/** Finds the references of a row to missing rows. */
export function findDanglingReferences(
  list: string,
  row: object,
  exists: (list: ReferencedList, id: Id) => boolean,
): Issue[] {
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
    for (const [index, id] of value.entries()) {
      if (id !== null && !exists(target, id)) issues.push(missing([field, index], target, id))
    }
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
  const found: Issue[] = []
  for (const [list, fields] of Object.entries(references)) {
    const referencing = Object.keys(fields).filter((field) => fields[field] === target)
    if (referencing.length === 0) continue
    for (const row of rows(list)) {
      for (const field of referencing) {
        const ids = (row as Record<string, unknown>)[field]
        if (ids !== id && !(Array.isArray(ids) && ids.includes(id))) continue
        const { id: rowId, value } = row as { id?: Id; value?: string }
        found.push({ path: [], root: `${list} ${rowId ?? value}`, text: field })
        if (found.length === 10) return found
      }
    }
  }
  return found
}

/**
 * Finds repeated ids, references to missing rows, and used `next_ids`. Yields issues, and undefined after many rows.
 *
 * @param unknown lists to whose rows any reference may lead
 */
export function* worldReferenceIssues(
  world: WorldJson,
  unknown: Iterable<string>,
): Generator<Issue | undefined> {
  const { idsByList, incomplete } = yield* readIds(world, unknown)
  const exists = (list: ReferencedList, id: Id): boolean =>
    incomplete.has(list) || idsByList.get(list)?.has(id) === true
  for (const [list, fields] of Object.entries(references)) {
    const rows = rowsOf(world, list)
    const targets = Object.entries(fields).map(([field, target]): Target => {
      return { field, ids: incomplete.has(target) ? null : idsByList.get(target) }
    })
    for (let start = 0; start < rows.length; start += stepSize) {
      yield
      const end = Math.min(start + stepSize, rows.length)
      let index = findOtherReference(rows, targets, start, end)
      for (; index < end; index = findOtherReference(rows, targets, index + 1, end)) {
        const dangling = findDanglingReferences(list, rows[index] ?? {}, exists)
        yield* issuesWithin([list, index], dangling)
      }
    }
  }
  for (const [list, nextId] of Object.entries(world.next_ids ?? {})) {
    const highest = idsByList.get(list)?.highest ?? 0
    if (nextId !== undefined && nextId <= highest) {
      const text = `expected more than ${highest}, the highest id, got ${nextId}`
      yield { path: ['next_ids', list], text }
    }
  }
}

/** A field with references, and the ids to which they can lead; null for any id */
interface Target {
  readonly field: string
  readonly ids: IdSet | null | undefined
}

/** Returns the first row from `start` up to `end` that references more than one row each, or may reference no row. */
function findOtherReference(
  rows: readonly Record<string, unknown>[],
  targets: readonly Target[],
  start: number,
  end: number,
): number {
  for (let at = start; at < end; at++) {
    const row = rows[at] ?? {}
    for (const { field, ids } of targets) {
      const id = row[field] ?? null
      if (Array.isArray(id) || (id !== null && ids !== null && !ids?.has(id as Id))) return at
    }
  }
  return end
}

type ListsByName = { readonly [List in keyof WorldJson]?: unknown }

interface WorldIds {
  readonly idsByList: ReadonlyMap<string, IdSet>
  /** Lists with rows whose id cannot be read */
  readonly incomplete: ReadonlySet<string>
}

function* readIds(
  world: ListsByName,
  unknown: Iterable<string>,
): Generator<Issue | undefined, WorldIds> {
  const idsByList = new Map<string, IdSet>()
  // Rows without a readable id can be the ones that others reference.
  const incomplete = new Set(unknown)
  for (const list of ['organizations', ...Object.keys(references)]) {
    const ids = new IdSet()
    idsByList.set(list, ids)
    if (!Array.isArray(world[list as keyof WorldJson] ?? [])) incomplete.add(list)
    const field = list === 'keys' ? 'value' : 'id'
    const type = list === 'keys' || list === 'organizations' ? 'string' : 'number'
    const rows = rowsOf(world, list)
    for (let index = 0; index < rows.length; index++) {
      if (index % stepSize === 0) yield
      // The rest of the step, apart from one row.
      const last = Math.min(rows.length, index - (index % stepSize) + stepSize) - 1
      if (field === 'id') index = ids.addRun(rows, index, last)
      const id = rows[index]?.[field] as Id
      if (typeof id !== type) {
        incomplete.add(list)
        continue
      }
      if (!ids.add(id)) {
        const text = `expected a unique value, got ${inspectValue(id)} again`
        yield { path: [list, index, field], text }
      }
    }
  }
  return { idsByList, incomplete }
}

/** The ids of a list. A run of ids, which is what most lists have, takes no memory. */
class IdSet {
  readonly #others = new Set<Id>()
  /** The ids from the first number up to this one are in the set. */
  #run: { readonly first: number; last: number } | null = null
  highest = 0

  /** @returns false if the id is in the set */
  add(id: Id): boolean {
    if (this.has(id)) return false
    if (!Number.isSafeInteger(id)) this.#others.add(id)
    else if (this.#run === null) this.#run = { first: id as number, last: id as number }
    else if (id === this.#run.last + 1) this.#run.last = id
    else this.#others.add(id)
    this.highest = Math.max(this.highest, Number(id) || 0)
    return true
  }

  /** Adds the ids of rows from `start` up to `end` that each follow the one before. @returns the first other row */
  addRun(rows: readonly Record<string, unknown>[], start: number, end: number): number {
    if (this.#run === null || this.#others.size > 0) return start
    let { last } = this.#run
    let at = start
    for (; at < end && rows[at]?.id === last + 1; at++) last += 1
    this.#run.last = last
    this.highest = Math.max(this.highest, last)
    return at
  }

  has(id: Id): boolean {
    const run = this.#run
    const isInRun = run !== null && typeof id === 'number' && id >= run.first && id <= run.last
    return (isInRun && Number.isInteger(id)) || this.#others.has(id)
  }
}

function rowsOf(world: ListsByName, list: string): readonly Record<string, unknown>[] {
  const rows: unknown = world[list as keyof WorldJson]
  return Array.isArray(rows) ? rows : []
}

export function hasRow(tables: Tables, list: ReferencedList, id: Id): boolean {
  if (list === 'organizations') return tables.organizations.get(String(id)) !== undefined
  return typeof id === 'number' && tables[list].get(id) !== undefined
}
