import * as z from 'zod'
import { parseOptions } from '../../utils/errors.ts'
import { parseDateTime } from '../../utils/python.ts'
import { toRowJson } from '../load/export-world.ts'
import type { AnnotationRow } from '../rows.ts'
import { timeSchema } from '../schema/world-schema.ts'
import { matchesTerms, searchTerms } from '../search.ts'
import { compareAnnotations, type ListName, type Tables } from '../tables.ts'
import type { EditableList, Row } from '../world-json.ts'

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
export function findRows<List extends EditableList>(
  list: List,
  rowQuery: RowQuery,
  tables: Tables,
): FoundRows<Row<List>> {
  const schema = list === 'annotations' ? annotationQuerySchema : rowQuerySchema
  const query: RowQuery = parseOptions<RowQuery>(schema, rowQuery, 'find rows')
  const { offset = 0, limit = 50 } = query
  const matching: readonly object[] =
    list === 'annotations' ? findAnnotations(query, tables) : findOthers(list, query, tables)
  const rows = matching.slice(offset, offset + limit).map((row) => toRowJson(list, row))
  return { count: matching.length, rows: structuredClone(rows) as Row<List>[] }
}

/** Finds annotations, in the order of the service, including deleted ones. */
function findAnnotations(query: RowQuery, tables: Tables): AnnotationRow[] {
  const { project, scope, deleted, since, until, search = '' } = query
  const terms = searchTerms(search)
  const [from, to] = [since, until].map((time) => time && Date.parse(parseDateTime(time)))
  const isMatch = (row: AnnotationRow): boolean => {
    const time = row.date_marker === null ? undefined : Date.parse(row.date_marker)
    return (
      (project === undefined || row.project === project) &&
      (scope === undefined || row.scope === scope) &&
      (deleted === undefined || row.deleted === deleted) &&
      (typeof from !== 'number' || (time !== undefined && time >= from)) &&
      (typeof to !== 'number' || (time ?? Number.POSITIVE_INFINITY) < to) &&
      matchesTerms(row.content, terms)
    )
  }
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
  /** A text contains every word of this one, in any case: the content of an annotation, or any of another row */
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
  /** ISO 8601: a date_marker at this time or later */
  since: timeSchema.optional(),
  /** ISO 8601: a date_marker before this time */
  until: timeSchema.optional(),
})

/** A query for a page of rows. A missing field matches everything. Lists other than annotations have `search` as their only filter. */
export interface RowQuery extends z.infer<typeof annotationQuerySchema> {}
