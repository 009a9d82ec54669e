import * as z from 'zod'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { describeIssues, formatIssuePath, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { AccessibleRows } from '../defaults.ts'
import type { AnnotationRow } from '../rows.ts'
import { timeSchema } from '../schema/field-schemas.ts'
import type { TableEntry } from '../table/entry.ts'
import type { SortedRows } from '../table/sorted.ts'
import { deletedIndex, organizationIndex, projectIndex, type Tables } from '../table/tables.ts'
import { foldText } from '../table/text-search.ts'
import { rowFormats } from './row-formats.ts'

/** A part of a list. */
export interface FoundRows<Row> {
  /** How many rows there are in all */
  readonly count: number
  readonly rows: readonly Row[]
}

/**
 * A part of the rows of a list, in the world format: annotations as the service lists them, others by id.
 *
 * @throws UsageError that names the field at fault
 */
export function findRows<List extends keyof AccessibleRows>(
  list: List,
  given: RowQuery,
  tables: Tables,
): FoundRows<AccessibleRows[List]> {
  const query = validateRowQuery(list, given)
  const { offset = 0, limit = 50 } = query
  if (list === 'organizations') return part([...tables.organizations.values()])
  const { toJson } = rowFormats[list as Exclude<List, 'organizations'>]
  if (list !== 'annotations') return part([...tables[list].values()])
  const entries = findAnnotations(query, tables)
  const rows = entries.slice(offset, limit).map(({ row }) => toJson(row as never))
  return { count: entries.size, rows: structuredClone(rows) as AccessibleRows[List][] }

  function part(all: readonly object[]): FoundRows<AccessibleRows[List]> {
    const terms = searchTerms(query)
    const found = terms.length === 0 ? all : all.filter((row) => matchesTerms(row, terms))
    const rows = found.slice(offset, offset + limit)
    return { count: found.length, rows: structuredClone(rows) as AccessibleRows[List][] }
  }
}

/** Annotations in the order in which the service lists them, deleted ones among them. */
export function findAnnotations(
  query: AnnotationQuery,
  tables: Tables,
): Pick<SortedRows<TableEntry<AnnotationRow>>, 'size' | 'slice'> {
  const { project, scope, deleted, since, until } = query
  const listed = tables.annotations
    .list(annotationIndexes(query, tables))
    .search(searchTerms(query))
  if ([project, scope, since, until].every((field) => field === undefined)) return listed
  const [from, to] = [since, until].map((time) => time && Date.parse(parseDateTime(time)))
  const found = listed.slice(0, Number.POSITIVE_INFINITY).filter(({ row }) => {
    const at = row.date_marker === null ? Number.NaN : Date.parse(row.date_marker)
    return (
      (project === undefined || row.project === project) &&
      (scope === undefined || row.scope === scope) &&
      (deleted === undefined || row.deleted === deleted) &&
      (typeof from !== 'number' || at >= from) &&
      (typeof to !== 'number' || at < to)
    )
  })
  return { size: found.length, slice: (offset, limit) => found.slice(offset, offset + limit) }
}

/** The lists within the table that can hold them. */
function annotationIndexes({ project, deleted }: AnnotationQuery, tables: Tables): string[] {
  const row = project === undefined ? undefined : tables.projects.get(project)
  const projects = row ? [row] : [...tables.projects.values()]
  const organizations = new Set(projects.map(({ organization }) => organization))
  const lists = [
    ...projects.map(({ id }) => projectIndex(id)),
    ...[...organizations].map((id) => organizationIndex(id)),
  ]
  const gone = lists.map(deletedIndex)
  return deleted === undefined ? [...lists, ...gone] : deleted ? gone : lists
}

function searchTerms({ search = '' }: AnnotationQuery): string[] {
  return foldText(search)
    .split(/[\s,]+/)
    .filter((term) => term !== '')
}

/** Whether a row holds every term in its own texts; the code of a plugin is not looked through. */
function matchesTerms(row: object, terms: readonly string[]): boolean {
  const { source: _, ...shown } = row as { source?: unknown }
  const texts: string[] = []
  JSON.stringify(shown, (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') texts.push(String(value))
    return value
  })
  const text = foldText(texts.join('\n'))
  return terms.every((term) => text.includes(term))
}

/** Which annotations are meant. What is left out does not matter. */
export interface AnnotationQuery {
  /** Every word of it stands in the content, in any case */
  readonly search?: string
  /** Project id */
  readonly project?: number
  readonly scope?: string
  /** Only deleted ones, or only the others */
  readonly deleted?: boolean
  /** ISO 8601: a date_marker from this time on */
  readonly since?: string
  /** ISO 8601: a date_marker before this time */
  readonly until?: string
}

/** Which rows of a list are meant, and which part of them. Of other lists than annotations only a search can be meant. */
export interface RowQuery extends AnnotationQuery {
  /** How many are left out before the first; 0 when missing */
  readonly offset?: number
  /** How many at most, up to 1,000; 50 when missing */
  readonly limit?: number
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
}

const annotationQuerySchema = z.strictObject({ search, ...annotationFilters })
const annotationRowQuerySchema = annotationQuerySchema.extend(pagination)
const rowQuerySchema = z.strictObject({ search, ...pagination })

/** @throws UsageError that names the field at fault */
function validateRowQuery(list: string, query: unknown): RowQuery {
  return parseQuery(
    list === 'annotations' ? annotationRowQuerySchema : rowQuerySchema,
    query,
    'find rows',
  )
}

/** @throws UsageError that names the field at fault */
export function validateAnnotationQuery(query: unknown): AnnotationQuery {
  return parseQuery(annotationQuerySchema, query, 'draw the timeline')
}

function parseQuery(schema: z.ZodType, query: unknown, task: string): RowQuery {
  const parsed = schema.safeParse(query, suggestFields)
  if (parsed.success) return parsed.data as RowQuery
  const [issue] = parsed.error.issues as [z.core.$ZodIssue, ...z.core.$ZodIssue[]]
  const last = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = formatIssuePath([...issue.path, ...last]) || 'query'
  throw new UsageError(`Failed to ${task}.`, describeIssues(parsed.error, query, 'query'), field)
}
