import * as z from 'zod'
import { UsageError } from '../usage-error.ts'
import { describeIssues, formatIssuePath } from './faults.ts'
import { timeSchema } from './schema/values.ts'

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
export function validateRowQuery(list: string, query: unknown): RowQuery {
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
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data as RowQuery
  const [issue] = parsed.error.issues as [z.core.$ZodIssue, ...z.core.$ZodIssue[]]
  const last = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = formatIssuePath([...issue.path, ...last]) || 'query'
  throw new UsageError(`Failed to ${task}.`, describeIssues(parsed.error, query, 'query'), field)
}
