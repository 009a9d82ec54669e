import * as z from 'zod'
import type { SettingValues } from '../../settings/setting.ts'
import { ConflictError, issuesError, refuseFilter, UsageError } from '../../utils/errors.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { uuidFromNumber } from '../../utils/seeded-random.ts'
import type { Clock } from '../clock/clock.ts'
import { createDefaults, type Defaults } from '../defaults.ts'
import { entities } from '../entities/entities.ts'
import type { Field, NewRowContext } from '../entities/field.ts'
import { countRows, exportWorld, exportWorldText, toRowJson } from '../load/export-world.ts'
import { completeRowIn, type LoadedWorld } from '../load/load-world.ts'
import type { AnnotationRow, OrganizationRow } from '../rows.ts'
import { findReferencingRows, findRowIssues } from '../schema/row-issues.ts'
import { matchesTerms, searchTerms } from '../search.ts'
import {
  type AnyTable,
  compareAnnotations,
  editableLists,
  type ListName,
  nextRevision,
  type RowId,
  type Tables,
} from '../tables.ts'
import { toGivenRow } from '../world-format.ts'
import type { CountedList, EditableList, GivenFields, Row, WorldJson } from '../world-json.ts'

/** The state of a simulator whose rows are read and written. */
export interface RowState {
  /** The world. Another object after a reset */
  readonly loaded: LoadedWorld
  readonly clock: Clock
  /** Those under which rows are written */
  readonly settings: SettingValues
}

type CountedRowAccess<List extends CountedList> = RowAccess<Row<List>, number>

/** Typed access to the rows of a world, without a request: to arrange and inspect them in tests. */
export class WorldAccess {
  declare readonly organizations: RowAccess<OrganizationRow, string>
  declare readonly projects: CountedRowAccess<'projects'>
  declare readonly users: CountedRowAccess<'users'>
  declare readonly dashboard_items: CountedRowAccess<'dashboard_items'>
  declare readonly plugins: CountedRowAccess<'plugins'>
  declare readonly plugin_configs: CountedRowAccess<'plugin_configs'>
  declare readonly annotations: CountedRowAccess<'annotations'>
  declare readonly activity: CountedRowAccess<'activity'>
  readonly #state: RowState

  constructor(state: RowState) {
    this.#state = state
    for (const list of editableLists) Object.assign(this, { [list]: new RowAccess(list, state) })
  }

  get counts(): Record<string, number> {
    return countRows(this.#state.loaded.tables)
  }

  /**
   * Finds rows of a list, in the world format, as copies. Annotations are in the order of the service,
   * organizations in that of their addition, other rows in that of their ids.
   *
   * @throws UsageError that names the invalid field
   * @example simulator.world.find('annotations', { search: 'launch', deleted: false, limit: 10 })
   */
  find<List extends EditableList>(list: List, query: RowQuery = {}): FoundRows<Row<List>> {
    const { tables } = this.#state.loaded
    const isOfAnnotations = list === 'annotations'
    const schema = isOfAnnotations ? annotationQuerySchema : rowQuerySchema
    const filter = parseOptions<RowQuery>(schema, query, 'find rows')
    const { offset = 0, limit = 50 } = filter
    const matching: readonly object[] = isOfAnnotations
      ? findAnnotations(filter, tables)
      : findOthers(list, filter, tables)
    const rows = matching.slice(offset, offset + limit).map((row) => toRowJson(list, row))
    return { count: matching.length, rows: structuredClone(rows) as Row<List>[] }
  }

  /** Exports the whole world in the world format, as a copy. */
  toJSON(): WorldJson {
    return exportWorld(this.#state.loaded)
  }

  /** Exports the current world as JSON text, with a line for each row. */
  toText(): string {
    return exportWorldText(this.#state.loaded)
  }
}

/** Writes rows of one list. Written rows are checked like a world file. Unlike {@link RowAccess}, it copies none. */
export class RowWriter {
  readonly #list: EditableList
  readonly #state: RowState
  readonly #ofWorld: Defaults

  constructor(list: EditableList, state: RowState) {
    this.#list = list
    this.#state = state
    this.#ofWorld = createDefaults({
      get tables() {
        return state.loaded.tables
      },
    })
  }

  /** @returns its id @throws UsageError with up to 100 issues */
  add(fields: object): RowId {
    const row = this.#validate({ ...this.#defaults(), ...toGivenRow(fields) })
    if (this.table.get(row.id) !== undefined) {
      const reason = `expected an unused id, got ${row.id}`
      throw new ConflictError(`Failed to add a row of ${this.#list}: ${reason}.`, 'id', reason)
    }
    this.table.put(this.#toRow(row))
    return row.id
  }

  /** @throws UsageError for a missing row, or with up to 100 issues */
  update(id: RowId, changes: object): void {
    const list = this.#list
    const before = this.find(id)
    if (before === undefined)
      throw new UsageError(`Failed to update ${id} of ${list}: there is no such row.`)
    const row = this.#validate({ ...before, ...toGivenRow(changes) }, before)
    if (row.id !== id)
      throw new UsageError(`Failed to update ${id} of ${list}: the id of a row cannot change.`)
    this.table.put(this.#toRow(row))
    if (list === 'projects') this.#moveAnnotations(id as number)
  }

  /** @returns false for an unknown id. @throws UsageError while other rows reference it */
  delete(id: RowId): boolean {
    const [list, tables] = [this.#list, this.#tables]
    const references = findReferencingRows(list, id, (other) => tables[other as ListName].values())
    if (references.length > 0) {
      const message = `Failed to delete ${id} of ${list}: other rows reference it. Change these first:`
      throw issuesError(message, references)
    }
    return this.table.remove(id)
  }

  get table(): AnyTable {
    return this.#tables[this.#list]
  }

  find(id: RowId): object | undefined {
    return toRowJson(this.#list, this.table.get(id)) ?? undefined
  }

  get #tables() {
    return this.#state.loaded.tables
  }

  /** A plugin without a revision was written just now. */
  #toRow(json: object) {
    const tables = this.#tables
    const isNewRevision = this.#list === 'plugins' && !('revision' in json)
    const revision = isNewRevision && { revision: nextRevision(tables) }
    return completeRowIn(tables, this.#list, { ...json, ...revision })
  }

  #defaults() {
    const { clock, loaded } = this.#state
    const context = { id: this.#nextId(), seed: loaded.seed, clock, defaults: this.#ofWorld }
    const row: Record<string, unknown> = {}
    for (const field of entities[this.#list].stored) {
      const value = initialValue(field, context)
      if (value !== undefined) row[field.name] = value
    }
    return row
  }

  /** The ids of organizations are UUIDs. */
  #nextId(): number {
    const list = this.#list
    if (list !== 'organizations') return this.#tables[list].nextId
    const { organizations } = this.#tables
    let id = organizations.size + 1
    while (organizations.get(uuidFromNumber(id)) !== undefined) id += 1
    return id
  }

  /** Annotations have the organization of their project. */
  #moveAnnotations(project: number) {
    const { annotations, projects } = this.#tables
    const organization = projects.get(project)?.organization ?? ''
    for (const row of [...annotations.values()]) {
      if (row.project !== project || row.organization === organization) continue
      annotations.put({ ...row, organization })
    }
  }

  #validate(row: object, before?: object) {
    const [tables, { settings }] = [this.#tables, this.#state]
    const issues = findRowIssues({ tables, settings }, this.#list, row, before)
    if (issues.length === 0) return row as { readonly id: RowId }
    throw issuesError(`Failed to write a row of ${this.#list}. Nothing was changed.`, issues)
  }
}

/**
 * Reads and writes the rows of one list, without a request or a key. Rows have the world format,
 * and written rows are checked like a world file. Returned rows are copies.
 *
 * @example simulator.world.annotations.add({ content: 'Launch' })
 */
export class RowAccess<Row extends { readonly id: Id }, Id extends RowId> {
  readonly #list: EditableList
  readonly #writer: RowWriter

  constructor(list: EditableList, state: RowState) {
    this.#list = list
    this.#writer = new RowWriter(list, state)
  }

  /** The number of rows, including deleted annotations. */
  get count(): number {
    return this.#writer.table.size
  }

  /** Returns a row, or undefined if there is no such row. */
  get(id: Id): Row | undefined {
    return structuredClone(this.#writer.find(id) as Row | undefined)
  }

  /** Lists all rows by id, organizations as they were added, and deleted annotations, too. @throws UsageError for an argument: it is no filter */
  list(...others: readonly undefined[]): Row[] {
    refuseFilter(`the rows of ${this.#list}`, others, `, or use world.find('${this.#list}', …)`)
    const rows: object[] = [...this.#writer.table.values()]
    return structuredClone(rows.map((row) => toRowJson(this.#list, row) as object as Row))
  }

  /** Adds a row. Missing fields get defaults. @throws UsageError with up to 100 issues */
  add(fields: GivenFields<Row> = {}): Row {
    return this.get(this.#writer.add(fields) as Id) as Row
  }

  /** Updates fields of a row. @throws UsageError for a missing row, or with up to 100 issues */
  update(id: Id, changes: GivenFields<Row>): Row {
    this.#writer.update(id, changes)
    return this.get(id) as Row
  }

  /** Deletes a row permanently. @returns false for an unknown id. @throws UsageError while other rows reference it */
  delete(id: Id): boolean {
    return this.#writer.delete(id)
  }
}

/** The value of a field in a row that is created without it. Undefined if a loaded row has a default, or needs a value. */
function initialValue(field: Field, { id, ...context }: NewRowContext): unknown {
  const { kind, list, nullable, inFiles, usual } = field
  const { clock, defaults } = context
  if (inFiles !== undefined) return kind === 'time' && !nullable ? clock.iso() : undefined
  if (usual !== undefined) return typeof usual === 'function' ? usual({ id, ...context }) : usual
  if (nullable) return null
  if (kind === 'time') return clock.iso()
  if (kind === 'id') return id
  if (kind === 'uuid') return uuidFromNumber(id)
  if (kind === 'reference' && list === 'projects') return defaults.project_id
  if (kind === 'reference' && list === 'organizations') return defaults.organization_id
  return undefined
}

/** A page of a list. */
export interface FoundRows<Row> {
  /** The number of all matching rows */
  readonly count: number
  readonly rows: readonly Row[]
}

function findAnnotations(query: RowQuery, tables: Tables): AnnotationRow[] {
  const { project, scope, deleted, search = '' } = query
  const terms = searchTerms(search)
  const isMatch = (row: AnnotationRow): boolean =>
    (project === undefined || row.project === project) &&
    (scope === undefined || row.scope === scope) &&
    (deleted === undefined || row.deleted === deleted) &&
    matchesTerms(row.content, terms)
  return [...tables.annotations.values()].filter(isMatch).sort(compareAnnotations)
}

function findOthers(list: ListName, { search = '' }: RowQuery, tables: Tables): object[] {
  const terms = searchTerms(search)
  return [...tables[list].values()].filter((row) => matchesTerms(searchedText(row), terms))
}

/** The texts of a row. The source code of a plugin is not searched. */
function searchedText(row: object): string {
  const { source: _, ...fields } = row as { source?: unknown }
  const texts: string[] = []
  JSON.stringify(fields, (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') texts.push(String(value))
    return value
  })
  return texts.join('\n')
}

const rowQuerySchema = z.strictObject({
  /** Words that the content of an annotation, or another row but the source of a plugin, contains in any case */
  search: z.string().optional(),
  /** The number of rows to skip; default: 0 */
  offset: z.int().min(0).optional(),
  /** The maximum number of rows, from 1 to 1,000; default: 50 */
  limit: z.int().min(1).max(1_000).optional(),
})

export const annotationQuerySchema = rowQuerySchema.extend({
  /** Project id */
  project: z.int().optional(),
  scope: z.string().optional(),
  /** True for deleted annotations only, false for all others */
  deleted: z.boolean().optional(),
})

/** A query for a page of rows. A missing field matches everything. Lists other than annotations have `search` as their only filter. */
export interface RowQuery extends z.infer<typeof annotationQuerySchema> {}
