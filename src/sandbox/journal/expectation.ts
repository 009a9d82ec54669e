import * as z from 'zod'
import { parseOptions } from '../../utils/schema-issues.ts'
import { didYouMean, inspectValue, UsageError } from '../../utils/usage-error.ts'
import { operationSchema, type StatusFilter, statusSchema } from './filter.ts'
import type { JournalRecord } from './record.ts'
import type { Renderer } from './renderer.ts'

/** A request that is expected. Whatever is left out does not matter. */
export interface ExpectedRequest {
  readonly operation?: string | undefined
  /** Part of the body: fields that are not named do not matter. */
  readonly body?: unknown
  /** The label or the value of a key */
  readonly key?: string | undefined
  readonly status?: StatusFilter | undefined
}

/** A request, and how often it is expected: at least once, unless one of the three says otherwise. */
export interface CountedExpectation extends ExpectedRequest {
  /** Exactly so often */
  readonly count?: number | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** Requests in this order; others may stand in between. */
export interface OrderedExpectation {
  readonly in_order: readonly ExpectedRequest[]
}

/** Requests that should have come: how often one did, or several in an order. */
export type Expectation = CountedExpectation | OrderedExpectation

const requestFields = {
  operation: operationSchema.optional(),
  body: z.unknown().optional(),
  key: z.string().optional(),
  status: statusSchema.optional(),
}

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

/** The form of an expectation. */
export const expectationSchema: z.ZodType<Expectation> = z.union([countedSchema, orderedSchema])

/** @throws UsageError that names the field at fault */
export function parseExpectation(given: unknown): Expectation {
  const isOrdered = typeof given === 'object' && given !== null && 'in_order' in given
  const schema: z.ZodType<Expectation> = isOrdered ? orderedSchema : countedSchema
  const checked = parseOptions(schema, given, 'verify', 'expectation')
  const bounds = boundNames.filter((name) => (checked as CountedExpectation)[name] !== undefined)
  if (bounds.length > 1 && bounds.includes('count')) {
    throw new UsageError(
      `Failed to verify: expected count alone, or at_least and at_most, got ${bounds.join(' and ')}.`,
      [],
      'count',
    )
  }
  const { at_least = 0, at_most = at_least } = checked as CountedExpectation
  if (at_least > at_most) {
    throw new UsageError(
      `Failed to verify: expected at_least not to be above at_most, got ${at_least} and ${at_most}.`,
      [],
      'at_least',
    )
  }
  return checked
}

const boundNames = ['count', 'at_least', 'at_most'] as const

/**
 * Refuses an expectation of a key that nobody can have asked with: one that it names wrongly is never found, and
 * would hold where there should be none.
 *
 * @throws UsageError that names the field, and the labels that there are
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
    const known = labels.length > 0 ? `: ${labels.join(', ')}` : ', of which there is none'
    const meant = didYouMean(key, labels)
    throw new UsageError(
      `Failed to verify: expected the value of a key or a label${known}; got ${inspectValue(key)}, by which nobody asked.` +
        (meant === undefined ? '' : ` Did you mean ${meant}?`),
      [],
      isOrdered ? `in_order[${index}].key` : 'key',
    )
  }
}
