import * as z from 'zod'
import { endpoints } from '../../api/endpoints.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import type { JournalRecord } from './record.ts'
import { documentedOperation, type Renderer } from './renderer.ts'

/** A status, or a hundred of them: `404`, `'4xx'`. 0 is a connection that broke. */
export type StatusFilter = number | string

/** Which entries are asked for. Whatever is left out does not matter. */
export interface JournalFilter {
  readonly operation?: string | undefined
  /** The label or the value of a key */
  readonly key?: string | undefined
  readonly status?: StatusFilter | undefined
  /** ISO 8601: entries from this time on */
  readonly since?: string | undefined
  /** ISO 8601: entries up to this time */
  readonly until?: string | undefined
  /** Only those that nothing describes, or only the others */
  readonly unmatched?: boolean | undefined
  /** The latest ones, so many at most */
  readonly limit?: number | undefined
}

const operationIds = endpoints.map(({ id }) => id)

/** The id of an operation. */
export const operationSchema: z.ZodType<string> = z.string().check((context) => {
  if (operationIds.includes(context.value)) return
  const meant = didYouMean(context.value, operationIds)
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
  const message = `expected the id of an operation${hint}`
  context.issues.push({ code: 'custom', input: context.value, message })
})

/** A status, or a hundred of them. */
export const statusSchema: z.ZodType<StatusFilter> = z
  .union([z.int(), z.string()])
  .refine((value) => /^(0|[1-5]xx|[1-5]\d\d)$/i.test(String(value)), {
    error: 'expected a status such as 404, or a hundred of them such as 4xx',
  })

const timeSchema = z.string().refine(isTime, {
  error: 'expected an ISO 8601 time such as 2024-06-01T00:00:00Z',
})

/** The form of a filter. */
const filterSchema: z.ZodType<JournalFilter> = z.strictObject({
  operation: operationSchema.optional(),
  key: z.string().optional(),
  status: statusSchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  unmatched: z.boolean().optional(),
  limit: z.int().min(1).optional(),
})

/** @throws UsageError that names the field at fault */
export function parseFilter(filter: unknown): JournalFilter {
  return parseOptions(filterSchema, filter, 'search the journal', 'filter')
}

/** The records that a filter lets through, in the order in which the requests came. */
export function filterRecords(
  records: readonly JournalRecord[],
  { operation: id, key, status: wanted, since, until, unmatched, limit }: JournalFilter,
  renderer: Renderer,
): JournalRecord[] {
  const [from, to] = [since && parseTime(since), until && parseTime(until)]
  const found = records.filter(
    (record) =>
      (id === undefined || record.operation === id) &&
      (wanted === undefined || matchesStatus(record.response.status, wanted)) &&
      (typeof from !== 'number' || record.at >= from) &&
      (typeof to !== 'number' || record.at <= to) &&
      (unmatched === undefined || unmatched === (documentedOperation(record) === null)) &&
      (key === undefined || renderer.hasKey(record, key)),
  )
  return found.sort((a, b) => a.id - b.id).slice(limit === undefined ? 0 : -limit)
}

/** @example matchesStatus(404, '4xx') // true */
export function matchesStatus(status: number, filter: StatusFilter): boolean {
  const text = String(filter).toLowerCase()
  return text.endsWith('xx')
    ? Math.floor(status / 100) === Number(text[0])
    : status === Number(text)
}

function isTime(text: string): boolean {
  try {
    return Number.isFinite(parseTime(text))
  } catch {
    return false
  }
}

function parseTime(text: string): number {
  return Date.parse(parseDateTime(text))
}
