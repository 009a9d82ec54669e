import { entities } from './entities/entities.ts'
import type { ActivityRow, AnnotationRow, Rows, WriteObserver } from './rows.ts'
import { type Listing, type ListKey, SharedMap, Table } from './table.ts'
import type { CountedList, EditableList } from './world-json.ts'

export type RowLists = { readonly [List in keyof Rows]: readonly Rows[List][] }

type TableOf<List extends keyof Rows> = List extends 'organizations' | 'keys'
  ? KeyedTable<Rows[List]>
  : Table<Rows[List] & { readonly id: number }>

export type Tables = { readonly [List in keyof Rows]: TableOf<List> } & {
  /** The number of writes to plugins, and the `revision` of the plugin that was written last */
  pluginRevision: number
}

/** Counts a write to a plugin, up to the highest revision that a world file can contain. */
export function nextRevision(tables: Tables): number {
  tables.pluginRevision = Math.min(tables.pluginRevision + 1, Number.MAX_SAFE_INTEGER)
  return tables.pluginRevision
}

/** @param pluginRevision the number of earlier writes to plugins */
export function createTables(rows: RowLists, pluginRevision: number): Tables {
  const tables = {
    organizations: new KeyedTable('organizations', rows.organizations, ({ id }) => id),
    projects: new Table('projects', rows.projects),
    users: new Table('users', rows.users),
    keys: new KeyedTable('keys', rows.keys, ({ value }) => value),
    dashboard_items: new Table('dashboard_items', rows.dashboard_items),
    plugins: new Table('plugins', rows.plugins),
    plugin_configs: new Table('plugin_configs', rows.plugin_configs),
    repository: new Table('repository', rows.repository),
    annotations: new Table('annotations', rows.annotations, annotationListing),
    activity: new Table('activity', rows.activity, activityListing),
  }
  return { ...tables, pluginRevision }
}

/** Creates an independent copy of all tables, in constant time. */
export function forkTables(tables: Tables): Tables {
  const forks = worldLists.map((list) => [list, tables[list].fork()])
  return { ...tables, ...Object.fromEntries(forks) }
}

/** Rows by a text, in the order in which they were added, for short lists: keys and organizations. */
class KeyedTable<R extends object> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  /** A new object after each write. Forks have the same stamp until one of them writes. */
  stamp: object = {}
  readonly #name: keyof Rows
  readonly #idOf: (row: R) => string
  #rows: SharedMap<string, R>

  constructor(name: keyof Rows, rows: readonly R[], idOf: (row: R) => string) {
    this.#name = name
    this.#idOf = idOf
    this.#rows = new SharedMap(rows.map((row) => [idOf(row), row]))
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: string): R | undefined {
    return this.#rows.get(id)
  }

  values(): IterableIterator<R> {
    return this.#rows.values()
  }

  /** Adds a row, or replaces the row with its id. */
  put(row: R): void {
    const id = this.#idOf(row)
    const before = this.#rows.get(id)
    this.#rows.set(id, row)
    this.#noteWrite(before, row)
  }

  /** Removes a row. @returns false if there is no such row */
  remove(id: string): boolean {
    const row = this.#rows.get(id)
    if (!row) return false
    this.#rows.delete(id)
    this.#noteWrite(row, undefined)
    return true
  }

  fork(): KeyedTable<R> {
    const copy = new KeyedTable<R>(this.#name, [], this.#idOf)
    copy.#rows = this.#rows.fork()
    copy.stamp = this.stamp
    return copy
  }

  #noteWrite(before: R | undefined, after: R | undefined): void {
    this.stamp = {}
    this.observer?.noteWrite(this.#name, before, after)
  }
}

/** An organization-wide annotation is listed by its organization, any other by its project. */
const annotationListing: Listing<AnnotationRow> = {
  compare: compareAnnotations,
  keyOf({ project, organization, scope, deleted }) {
    const key = scope === 'organization' ? organization : project
    return deleted ? deletedFrom(key) : key
  },
}

/** The key of the list of deleted annotations of a project or an organization. */
export function deletedFrom(key: ListKey): ListKey {
  return `deleted from ${key}`
}

/** The live service lists the activity of plugins and of their configurations only. */
const activityListing: Listing<ActivityRow> = {
  compare: (a, b) => compareTimes(b.created_at, a.created_at) || b.id - a.id,
  keyOf: ({ scope, project }) => (['Plugin', 'PluginConfig'].includes(scope) ? project : null),
}

/**
 * Seen in the live service: the newest marker comes first, and rows without a marker before all others. Equal markers
 * are ordered by id, the newest first.
 */
export function compareAnnotations(a: AnnotationRow, b: AnnotationRow): number {
  if (a.date_marker === b.date_marker) return b.id - a.id
  if (a.date_marker === null) return -1
  if (b.date_marker === null) return 1
  return compareTimes(b.date_marker, a.date_marker)
}

/** Times in UTC are in order as texts, but for their Z: a fraction would come before it. */
function compareTimes(a: string, b: string): number {
  if (a === b) return 0
  const isBefore = a.length === b.length ? a < b : a.slice(0, -1) < b.slice(0, -1)
  return isBefore ? -1 : 1
}

/** The name of a list of rows, as in the world format. */
export type ListName = keyof Rows

/** The lists in the order of a world file: each list comes after the lists that its rows reference. */
export const worldLists: readonly ListName[] = Object.keys(entities) as ListName[]

/** Keys and catalogue entries cannot be updated or deleted in bulk. */
export const editableLists: readonly EditableList[] = worldLists.filter(
  (list): list is EditableList => list !== 'keys' && list !== 'repository',
)

/** The lists whose ids are counted up. */
export const countedListNames: readonly CountedList[] = editableLists.filter(
  (list): list is CountedList => list !== 'organizations',
)

/** Tells an observer of each write to these tables. Forks are not observed. */
export function observeTables(tables: Tables, observer: WriteObserver): void {
  for (const list of worldLists) tables[list].observer = observer
}

/** The id of a row; for a key its value. */
export type RowId = number | string

export function rowIdOf(list: ListName, row: object): RowId {
  const { id, value } = row as { id?: RowId; value?: string }
  return (list === 'keys' ? value : id) as RowId
}

/** What the tables of all lists have in common. */
export interface AnyTable {
  readonly size: number
  /** The id of the next row, if ids are counted */
  nextId?: number
  get(id: RowId): object | undefined
  values(): Iterable<object>
  put(row: object): void
  /** @returns false if there is no such row */
  remove(id: RowId): boolean
}
