import * as z from 'zod'
import { endpoints } from '../../api/endpoints.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { didYouMean, inspectValue } from '../../utils/usage-error.ts'
import type { JournalRecord } from './record.ts'
import { documentedOperation, type Renderer } from './renderer.ts'

/** A status or a class of statuses: `404`, `'4xx'`. 0 is a broken connection. */
export type StatusFilter = number | string

/** The fields that filters and expectations have in common. */
export interface RequestFilter {
  readonly operation?: string | undefined
  /** The label or the value of a key */
  readonly key?: string | undefined
  readonly status?: StatusFilter | undefined
}

/** Selects journal entries. Entries must match all fields that are set. */
export interface JournalFilter extends RequestFilter {
  /** ISO 8601: entries from this time on */
  readonly since?: string | undefined
  /** ISO 8601: entries up to this time */
  readonly until?: string | undefined
  /** True for requests without an operation, false for the others */
  readonly unmatched?: boolean | undefined
  /** At most this many entries: the latest ones */
  readonly limit?: number | undefined
}

const operationIds = endpoints.map(({ id }) => id)

const operationSchema = z.string().check((context) => {
  if (operationIds.includes(context.value)) return
  const suggestion = didYouMean(context.value, operationIds)
  const hint = suggestion === undefined ? '' : ` (did you mean ${inspectValue(suggestion)}?)`
  const message = `expected the id of an operation${hint}`
  context.issues.push({ code: 'custom', input: context.value, message })
})

/** A status or a class of statuses. */
export const statusSchema: z.ZodType<StatusFilter> = z
  .union([z.int(), z.string()])
  .refine((value) => /^(0|[1-5]xx|[1-5]\d\d)$/i.test(String(value)), {
    error: 'expected a status such as 404, or a class such as 4xx',
  })

const timeSchema = z.string().refine((text) => Number.isFinite(parseTime(text)), {
  error: 'expected an ISO 8601 time such as 2024-06-01T00:00:00Z',
})

export const requestFilterFields: {
  readonly [Field in keyof Required<RequestFilter>]: z.ZodType<RequestFilter[Field]>
} = {
  operation: operationSchema.optional(),
  key: z.string().optional(),
  status: statusSchema.optional(),
}

const filterSchema: z.ZodType<JournalFilter> = z.strictObject({
  ...requestFilterFields,
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  unmatched: z.boolean().optional(),
  limit: z.int().min(1).optional(),
})

/** @throws UsageError for an invalid filter */
export function parseFilter(filter: unknown): JournalFilter {
  return parseOptions(filterSchema, filter, 'search the journal', 'filter')
}

/** Returns the records that match a filter, in the order in which the requests arrived. */
export function filterRecords(
  records: readonly JournalRecord[],
  { operation, key, status, since, until, unmatched, limit }: JournalFilter,
  renderer: Renderer,
): JournalRecord[] {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseTime(since)
  const to = until === undefined ? Number.POSITIVE_INFINITY : parseTime(until)
  const matching = records.filter(
    (record) =>
      (operation === undefined || record.operation === operation) &&
      (status === undefined || matchesStatus(record.response.status, status)) &&
      record.at >= from &&
      record.at <= to &&
      (unmatched === undefined || unmatched === (documentedOperation(record) === null)) &&
      (key === undefined || renderer.hasKey(record, key)),
  )
  return matching.sort((a, b) => a.id - b.id).slice(limit === undefined ? 0 : -limit)
}

/** @example matchesStatus(404, '4xx') // true */
export function matchesStatus(status: number, filter: StatusFilter): boolean {
  const text = String(filter).toLowerCase()
  return text.endsWith('xx')
    ? Math.floor(status / 100) === Number(text[0])
    : status === Number(text)
}

/** @returns NaN for any other text */
function parseTime(text: string): number {
  try {
    return Date.parse(parseDateTime(text))
  } catch {
    return Number.NaN
  }
}
