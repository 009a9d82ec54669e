import * as z from 'zod'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import type { Steps } from '../../utils/steps.ts'
import { unknownWord } from '../../utils/usage-error.ts'
import type { AccessibleRows } from '../defaults.ts'
import { entities } from '../entities/entities.ts'
import type { AnnotationRow } from '../rows.ts'
import { timeSchema } from '../schema/field-schemas.ts'
import { OrderedList, type SortedRows } from '../table/ordered-list.ts'
import type { TableEntry } from '../table/table.ts'
import {
  deletedIndex,
  type ListName,
  organizationIndex,
  projectIndex,
  type Tables,
} from '../table/tables.ts'
import { foldText } from '../table/text-search.ts'
import { toRowJson } from './row-json.ts'

/** A page of a list. */
export interface FoundRows<Row> {
  /** The number of all matching rows */
  readonly count: number
  readonly rows: readonly Row[]
}

/**
 * Finds rows of a list, in the world format. Annotations have the order of the service, other rows are ordered by id.
 *
 * @throws UsageError that names the invalid field
 */
export function findRows<List extends keyof AccessibleRows>(
  list: List,
  rowQuery: RowQuery,
  tables: Tables,
): FoundRows<AccessibleRows[List]> {
  const schema: z.ZodType = list === 'annotations' ? annotationRowQuerySchema : rowQuerySchema
  const query = parseOptions(schema, rowQuery, 'find rows', 'query') as RowQuery
  const { offset = 0, limit = 50, sort } = query
  if (sort !== undefined) checkSorting(list, sort)
  const { count, rows } =
    list === 'annotations' ? findAnnotationPage() : findPage([...tables[list].values()])
  return { count, rows: structuredClone(rows) as AccessibleRows[List][] }

  function findAnnotationPage(): FoundRows<object> {
    const entries = findAnnotations(query, tables)
    const page =
      sort === undefined
        ? entries.slice(offset, limit)
        : sortRows(entries.toArray(), sort, ({ row }) => row).slice(offset, offset + limit)
    return {
      count: entries.size,
      rows: page.map(({ row }) => toRowJson('annotations', row) as object),
    }
  }

  function findPage(all: readonly object[]): FoundRows<object> {
    const terms = searchTerms(query)
    const matches = terms.length === 0 ? all : all.filter((row) => matchesTerms(row, terms))
    const sorted = sort === undefined ? matches : sortRows(matches, sort, (row) => row)
    return { count: matches.length, rows: sorted.slice(offset, offset + limit) }
  }
}

/** Finds annotations, in the order of the service, including deleted ones. */
function findAnnotations(
  query: AnnotationQuery,
  tables: Tables,
): Pick<SortedRows<TableEntry<AnnotationRow>>, 'size' | 'slice' | 'toArray'> {
  const entries = tables.annotations
    .list(annotationIndexes(query, tables))
    .search(searchTerms(query))
  const isMatch = createFilter(query)
  if (!isMatch) return entries
  const matches = entries.toArray().filter(isMatch)
  return {
    size: matches.length,
    slice: (offset, limit) => matches.slice(offset, offset + limit),
    toArray: () => matches,
  }
}

/** Checks what indexes and searches do not. Null if a query asks for nothing else. */
function createFilter({
  project,
  scope,
  deleted,
  since,
  until,
}: AnnotationQuery): ((entry: TableEntry<AnnotationRow>) => boolean) | null {
  if ([project, scope, since, until].every((field) => field === undefined)) return null
  const [from, to] = [since, until].map((time) => time && Date.parse(parseDateTime(time)))
  return ({ row, rank }) =>
    (project === undefined || row.project === project) &&
    (scope === undefined || row.scope === scope) &&
    (deleted === undefined || row.deleted === deleted) &&
    (typeof from !== 'number' || (row.date_marker !== null && -rank >= from)) &&
    (typeof to !== 'number' || -rank < to)
}

/** The steps of a search that takes long: afterwards, it is fast. */
export function searchAnnotationsInSteps(query: AnnotationQuery, tables: Tables): Steps<void> {
  return searchInSteps(tables, annotationIndexes(query, tables), searchTerms(query))
}

/** Searches lists of annotations in steps. They keep what they find, so that the same search is fast afterwards. */
export function* searchInSteps(
  { annotations }: Tables,
  names: readonly string[],
  terms: readonly string[],
): Steps<void> {
  for (const list of terms.length > 0 ? names.map((name) => annotations.list([name])) : []) {
    // A write replaces a chunk in the list.
    for (const chunk of list instanceof OrderedList ? [...list.chunks] : []) {
      chunk.search(terms.join(' '))
      yield
    }
  }
}

function annotationIndexes({ project, deleted }: AnnotationQuery, tables: Tables): string[] {
  const row = project === undefined ? undefined : tables.projects.get(project)
  const projects = row ? [row] : [...tables.projects.values()]
  const organizations = new Set(projects.map(({ organization }) => organization))
  const indexes = [
    ...projects.map(({ id }) => projectIndex(id)),
    ...[...organizations].map((id) => organizationIndex(id)),
  ]
  const deletedIndexes = indexes.map(deletedIndex)
  if (deleted === undefined) return [...indexes, ...deletedIndexes]
  return deleted ? deletedIndexes : indexes
}

function searchTerms({ search = '' }: AnnotationQuery): string[] {
  return foldText(search)
    .split(/[\s,]/)
    .filter((term) => term !== '')
}

/** Whether the texts of a row contain every term. The source code of a plugin is not searched. */
function matchesTerms(row: object, terms: readonly string[]): boolean {
  const { source: _, ...fields } = row as { source?: unknown }
  const texts: string[] = []
  JSON.stringify(fields, (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') texts.push(String(value))
    return value
  })
  const text = foldText(texts.join('\n'))
  return terms.every((term) => text.includes(term))
}

/** A query for annotations. A missing field matches everything. */
export interface AnnotationQuery {
  /** The content contains every word of this text, in any case */
  readonly search?: string
  /** Project id */
  readonly project?: number
  readonly scope?: string
  /** True for deleted annotations only, false for all others */
  readonly deleted?: boolean
  /** ISO 8601: a date_marker at this time or later */
  readonly since?: string
  /** ISO 8601: a date_marker before this time */
  readonly until?: string
}

/** A query for a page of rows. All lists but annotations have `search` as their only filter. */
export interface RowQuery extends AnnotationQuery {
  /** The number of rows to skip; default: 0 */
  readonly offset?: number
  /** The maximum number of rows, from 1 to 1,000; default: 50 */
  readonly limit?: number
  /** A field to sort by; after a minus sign, in descending order: `-date_marker`. Rows without a value come last. */
  readonly sort?: string
}

const annotationFilters = {
  project: z.int().optional(),
  scope: z.string().optional(),
  deleted: z.boolean().optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
}
const search = z.string().optional()
const pagination = {
  offset: z.int().min(0).optional(),
  limit: z.int().min(1).max(1_000).optional(),
  sort: z.string().optional(),
}

const annotationQuerySchema = z.strictObject({ search, ...annotationFilters })
const annotationRowQuerySchema = annotationQuerySchema.extend(pagination)
const rowQuerySchema = z.strictObject({ search, ...pagination })

/**
 * Checks the sorting of a list: a field, after a minus sign for the descending order.
 *
 * @throws UsageError for a field that the list does not have
 */
function checkSorting(list: ListName, sort: string): void {
  const fields = entities[list].stored
    .filter(({ isInternal }) => !isInternal)
    .map(({ name }) => name)
  const field = fieldOf(sort)
  if (!fields.includes(field)) throw unknownWord('sort rows', fields, field, 'sort')
}

/**
 * Sorts rows by a field. Rows without a value come last in both directions, and equal rows keep their order.
 *
 * @param toRow returns the row of an item
 * @example sortRows([{ id: 1 }, { id: 2 }], '-id', (row) => row) // [{ id: 2 }, { id: 1 }]
 */
function sortRows<T>(items: readonly T[], sort: string, toRow: (item: T) => object): T[] {
  const field = fieldOf(sort)
  const direction = sort.startsWith('-') ? -1 : 1
  return items
    .map((item) => ({ item, value: toSortable(Reflect.get(toRow(item), field)) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a < b ? -direction : a > b ? direction : 0
    })
    .map(({ item }) => item)
}

function fieldOf(sort: string): string {
  return sort.replace('-', '')
}

/** Lists and objects are sorted by their JSON. */
function toSortable(value: unknown): string | number | boolean | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return (value as string | number | boolean | null | undefined) ?? null
}
