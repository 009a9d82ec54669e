import { LimitError } from '../utils/errors.ts'
import { groupBy } from '../utils/latest-map.ts'
import { entities } from './entities/entities.ts'
import type { ActivityRow, AnnotationRow, Rows, WriteObserver } from './rows.ts'
import { type Compare, mergeLists, type OrderedRows, SortedList } from './sorted-list.ts'
import { maxId } from './world-format.ts'
import type { CountedList, EditableList } from './world-json.ts'

export type RowLists = { readonly [List in keyof Rows]: readonly Rows[List][] }

type TableOf<List extends keyof Rows> = List extends 'organizations' | 'keys'
  ? KeyedTable<Rows[List]>
  : Table<Rows[List] & { readonly id: number }>

export type Tables = { readonly [List in keyof Rows]: TableOf<List> } & {
  /** The latest `revision` that a plugin got */
  pluginRevision: number
}

/** The next `revision` of a plugin, up to the highest one that a world file can contain. */
export function nextRevision(tables: Tables): number {
  tables.pluginRevision = Math.min(tables.pluginRevision + 1, Number.MAX_SAFE_INTEGER)
  return tables.pluginRevision
}

/** @param pluginRevision the latest one that a plugin got */
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
 * As the service's source has it: the newest marker comes first, and rows without a marker before all others. It leaves
 * the order of equal markers open: here the newest id comes first.
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

/** What rows are listed by, such as the id of a project. */
type ListKey = number | string

/** How the rows of a table are listed. */
interface Listing<R> {
  readonly compare: Compare<R>
  /** The list that has a row; null if none has it */
  readonly keyOf: (row: R) => ListKey | null
}

/** What the tables of all lists do when a row is written. */
abstract class ObservedTable<R extends object> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  /** A new object after each write. Forks have the same stamp until one of them writes. */
  stamp: object = {}
  protected readonly name: keyof Rows

  constructor(name: keyof Rows) {
    this.name = name
  }

  protected noteWrite(before: R | undefined, after: R | undefined): void {
    this.stamp = {}
    this.observer?.noteWrite(this.name, before, after)
  }
}

/**
 * The rows of one list, by id and in an order by each key. Rows never change: a write replaces them. Ids are counted up
 * and never used twice. A fork takes constant time, whatever the number of rows.
 */
class Table<R extends { readonly id: number }> extends ObservedTable<R> {
  nextId: number
  readonly #listing: Listing<R> | undefined
  #rows: SortedList<R>
  #lists: Map<ListKey, SortedList<R>>
  /** Changes its lists in place. Undefined while a fork can have them: the next write copies what it changes */
  #owner: object | undefined

  constructor(name: keyof Rows, rows: readonly R[], listing?: Listing<R>) {
    super(name)
    const sorted = rows.toSorted(byId)
    this.#listing = listing
    this.#rows = SortedList.of<R>(byId, sorted)
    this.#lists = new Map(listing ? listByKey(sorted, listing) : [])
    this.nextId = (sorted.at(-1)?.id ?? 0) + 1
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: number): R | undefined {
    // The order depends on nothing but the id.
    return Number.isSafeInteger(id) ? this.#rows.find({ id } as R) : undefined
  }

  /** The current rows by ascending id, until the next write. */
  values(): IterableIterator<R> {
    return this.#rows[Symbol.iterator]()
  }

  /** The rows of one list or of several, in order, until the next write. An unknown list is empty. */
  listed(...keys: readonly ListKey[]): Required<OrderedRows<R>> {
    const { compare = byId } = this.#listing ?? {}
    const lists = keys.map((key) => this.#lists.get(key)).filter((list) => list && list.size > 0)
    const [first = SortedList.of<R>(compare), ...others] = lists as Required<OrderedRows<R>>[]
    return others.reduce((left, right) => mergeLists(left, right, compare), first)
  }

  /** Adds a row, or replaces the row with its id. @throws LimitError for a new id that no world file can contain */
  put(row: R): R {
    if (row.id > maxId && !this.#rows.find(row)) {
      throw new LimitError(
        `No more rows can be created: the list has used up the highest id, ${maxId}.`,
      )
    }
    const { list, before } = this.#rows.with(row, this.#own())
    this.nextId = Math.max(this.nextId, row.id + 1)
    this.#rows = list
    this.#relist(before, row)
    this.noteWrite(before, row)
    return row
  }

  /** Removes a row. Its id is not used again. @returns false if there is no such row */
  remove(id: number): boolean {
    const { list, before } = this.#rows.without({ id } as R, this.#own())
    if (!before) return false
    this.#rows = list
    this.#relist(before, undefined)
    this.noteWrite(before, undefined)
    return true
  }

  fork(): Table<R> {
    this.#owner = undefined
    const copy = new Table<R>(this.name, [], this.#listing)
    copy.#rows = this.#rows
    copy.#lists = this.#lists
    copy.stamp = this.stamp
    copy.nextId = this.nextId
    return copy
  }

  #own() {
    if (!this.#owner) {
      this.#owner = {}
      this.#lists = new Map(this.#lists)
    }
    return this.#owner
  }

  #relist(before: R | undefined, after: R | undefined) {
    if (!this.#listing) return
    const { compare, keyOf } = this.#listing
    const former = before ? keyOf(before) : null
    const key = after ? keyOf(after) : null
    const listOf = (name: ListKey) => this.#lists.get(name) ?? SortedList.of(compare)
    const stays = before && after && former === key && compare(before, after) === 0
    if (before && former !== null && !stays)
      this.#lists.set(former, listOf(former).without(before, this.#owner).list)
    if (after && key !== null) this.#lists.set(key, listOf(key).with(after, this.#owner).list)
  }
}

function byId(a: { readonly id: number }, b: { readonly id: number }) {
  return a.id - b.id
}

function listByKey<R extends object>(
  rows: readonly R[],
  { compare, keyOf }: Listing<R>,
): [ListKey, SortedList<R>][] {
  const listed = groupBy(rows, keyOf)
  listed.delete(null)
  return Array.from(listed, ([key, list]) => [
    key as ListKey,
    SortedList.of(compare, list.sort(compare)),
  ])
}

/** A row by its text, and how many rows were added before it. */
interface KeyedRow<R> {
  readonly id: string
  readonly at: number
  readonly row: R
}

function byText<R>(a: KeyedRow<R>, b: KeyedRow<R>) {
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

/** Rows by a text, in the order in which they were added: keys and organizations. */
class KeyedTable<R extends object> extends ObservedTable<R> {
  readonly #idOf: (row: R) => string
  #rows: SortedList<KeyedRow<R>>
  #added: number

  constructor(name: keyof Rows, rows: readonly R[], idOf: (row: R) => string) {
    super(name)
    this.#idOf = idOf
    const keyed = rows.map((row, at) => ({ id: idOf(row), at, row }))
    this.#rows = SortedList.of<KeyedRow<R>>(byText, keyed.sort(byText))
    this.#added = rows.length
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: string): R | undefined {
    return this.#find(id)?.row
  }

  *values(): IterableIterator<R> {
    for (const { row } of [...this.#rows].sort((a, b) => a.at - b.at)) yield row
  }

  /** Adds a row, or replaces the row with its id. */
  put(row: R): void {
    const id = this.#idOf(row)
    const before = this.#find(id)
    this.#rows = this.#rows.with({ id, at: before?.at ?? this.#added++, row }).list
    this.noteWrite(before?.row, row)
  }

  /** Removes a row. @returns false if there is no such row */
  remove(id: string): boolean {
    const before = this.#find(id)
    if (!before) return false
    this.#rows = this.#rows.without(before).list
    this.noteWrite(before.row, undefined)
    return true
  }

  fork(): KeyedTable<R> {
    const copy = new KeyedTable<R>(this.name, [], this.#idOf)
    copy.#rows = this.#rows
    copy.#added = this.#added
    copy.stamp = this.stamp
    return copy
  }

  #find(id: string): KeyedRow<R> | undefined {
    // To compare a list, which a body can have in its place, takes long.
    return typeof id === 'string' ? this.#rows.find({ id } as KeyedRow<R>) : undefined
  }
}
