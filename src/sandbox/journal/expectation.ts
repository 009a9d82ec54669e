import * as z from 'zod'
import { parseOptions } from '../../utils/schema-issues.ts'
import { inspectValue, suggestWord, UsageError } from '../../utils/usage-error.ts'
import type { RequestFilter } from './filter.ts'
import { requestFilterFields } from './filter.ts'
import type { JournalRecord } from './record.ts'
import type { Renderer } from './renderer.ts'

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
  in_order: z.array(z.strictObject(requestFields), { error: 'expected a list of requests' }).min(1),
})

export const expectationSchema: z.ZodType<Expectation> = z.union([countedSchema, orderedSchema])

/** @throws UsageError for an invalid expectation */
export function parseExpectation(expectation: unknown): Expectation {
  const isOrdered =
    typeof expectation === 'object' && expectation !== null && 'in_order' in expectation
  const schema: z.ZodType<Expectation> = isOrdered ? orderedSchema : countedSchema
  const parsed = parseOptions(schema, expectation, 'verify', 'expectation')
  const { count, at_least, at_most } = parsed as CountedExpectation
  if (count !== undefined && (at_least !== undefined || at_most !== undefined)) {
    const message = 'Failed to verify: count cannot be combined with at_least or at_most.'
    throw new UsageError(message, [], 'count')
  }
  if (at_least !== undefined && at_most !== undefined && at_least > at_most) {
    const message = `Failed to verify: at_least (${at_least}) is greater than at_most (${at_most}).`
    throw new UsageError(message, [], 'at_least')
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
    const known = labels.length > 0 ? ` The labels are ${labels.map(inspectValue).join(', ')}.` : ''
    throw new UsageError(
      `Failed to verify: no key has the label or the value ${inspectValue(key)}, and no request was sent with it.${suggestWord(key, labels)}${known}`,
      [],
      isOrdered ? `in_order[${index}].key` : 'key',
    )
  }
}
