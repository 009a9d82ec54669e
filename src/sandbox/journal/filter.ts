import * as z from 'zod'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { expectedTime } from '../../utils/python/expected-time.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { inspectValue, listWords, suggestWord, UsageError } from '../../utils/usage-error.ts'
import { operationSchema } from '../request-pattern.ts'
import type { JournalRecord } from './journal.ts'
import { documentedOperation, type Renderer } from './renderer.ts'

/** A status or a class of statuses: `404`, `'4xx'`. 0 is a broken connection. */
export type StatusFilter = number | string

/** The fields that filters and expectations have in common. */
interface RequestFilter {
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

/** A status or a class of statuses. */
export const statusSchema = z
  .union([z.int(), z.string()])
  .refine((value) => /^(0|[1-5]xx|[1-5]\d\d)$/i.test(String(value)), {
    error: 'expected a status such as 404, or a class such as 4xx',
  })

const timeSchema = z.string().refine((text) => Number.isFinite(parseTime(text)), {
  error: ({ input }) => `expected ${expectedTime(input)}`,
})

const requestFilterFields = {
  operation: operationSchema.optional(),
  key: z.string().optional(),
  status: statusSchema.optional(),
} satisfies Record<keyof RequestFilter, z.ZodType>

export const journalFilterFields = {
  ...requestFilterFields,
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  unmatched: z.boolean().optional(),
  limit: z.int().min(1).optional(),
} satisfies Record<keyof JournalFilter, z.ZodType>

const filterSchema = z.strictObject(journalFilterFields)

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
  return Date.parse(parseDateTime(text))
}

/** An expected request. Only the fields that are set are compared. */
export interface ExpectedRequest extends RequestFilter {
  /** A part of the body. Other fields of the body are ignored. */
  readonly body?: unknown
}

/** An expected request and how often it is expected. Without a count it is expected at least once. */
export interface CountedExpectation extends ExpectedRequest {
  /** The exact number of requests. Excludes `at_least` and `at_most` */
  readonly count?: number | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** Expected requests in this order. Other requests may come in between. */
export interface OrderedExpectation {
  readonly in_order: readonly ExpectedRequest[]
}

/** The requests that a journal is verified against: one request with a count, or several in order. */
export type Expectation = CountedExpectation | OrderedExpectation

const { operation, key, status } = requestFilterFields
const requestFields = { operation, body: z.unknown().optional(), key, status }

const countSchema = z.int().min(0).optional()

const countedSchema = z.strictObject({
  ...requestFields,
  count: countSchema,
  at_least: countSchema,
  at_most: countSchema,
})

const orderedSchema = z.strictObject({
  in_order: z.array(z.strictObject(requestFields)).min(1),
})

export const expectationSchema = z.union([countedSchema, orderedSchema])

/** @throws UsageError for an invalid expectation */
export function parseExpectation(expectation: unknown): Expectation {
  const isOrdered =
    typeof expectation === 'object' && expectation !== null && 'in_order' in expectation
  const schema = isOrdered ? orderedSchema : countedSchema
  const parsed = parseOptions<Expectation>(schema, expectation, 'verify', 'expectation')
  const { count, at_least, at_most } = parsed as CountedExpectation
  if (count !== undefined && (at_least !== undefined || at_most !== undefined)) {
    const message = 'Failed to verify: count cannot be combined with at_least or at_most.'
    throw new UsageError(message, 'count')
  }
  if (at_least !== undefined && at_most !== undefined && at_least > at_most) {
    const message = `Failed to verify: at_least (${at_least}) is greater than at_most (${at_most}).`
    throw new UsageError(message, 'at_least')
  }
  return parsed
}

/**
 * Rejects a key that neither the world nor any request has. A misspelt key would never be found, and `count: 0` would
 * pass.
 *
 * @throws UsageError whose message lists the labels
 */
export function rejectUnknownKeys(
  expectation: Expectation,
  records: readonly JournalRecord[],
  renderer: Renderer,
): void {
  const isOrdered = 'in_order' in expectation
  const requests = isOrdered ? expectation.in_order : [expectation]
  for (const [index, { key }] of requests.entries()) {
    if (key === undefined || renderer.knowsKey(key)) continue
    if (records.some((record) => renderer.hasKey(record, key))) continue
    const { labels } = renderer
    const known = labels.length > 0 ? ` The labels are ${listWords(labels)}.` : ''
    throw new UsageError(
      `Failed to verify: no key has the label or the value ${inspectValue(key)}, and no request was sent with it.${suggestWord(key, labels)}${known}`,
      isOrdered ? `in_order[${index}].key` : 'key',
    )
  }
}
