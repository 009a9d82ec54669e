import * as z from 'zod'
import { failureFormats } from '../http/failure.ts'
import { jsonValueSchema } from '../world/schema/values.ts'
import { findRuleIssues } from './combinations.ts'
import { presetNames } from './presets.ts'
import type { FaultInfo, FaultRule } from './rule.ts'

/** A day: what is longer is no latency. Timers break at 24 days. */
const longestDelay = 86_400_000

const milliseconds = z.number().min(0).max(longestDelay)

const delay = z.union(
  [
    milliseconds,
    z.strictObject({ min: milliseconds, max: milliseconds }).refine(({ min, max }) => max >= min, {
      path: ['max'],
      error: 'expected at least min',
    }),
    z
      .strictObject({ median: milliseconds.min(1), p95: milliseconds })
      .refine(({ median, p95 }) => p95 >= median, {
        path: ['p95'],
        error: 'expected at least the median',
      }),
  ],
  { error: 'expected milliseconds, { min, max } or { median, p95 }' },
)

const method = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Those that say how long the body is, or how it ends, are the transport's. */
const headers = z.record(z.string(), z.string()).refine(areValidHeaders, {
  error: 'expected headers that HTTP allows, without content-length, transfer-encoding and trailer',
})

const effect = z.strictObject({
  error: z.enum(Object.keys(failureFormats)).optional(),
  detail: z.string().optional(),
  retry_after_s: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  headers: headers.optional(),
  body: jsonValueSchema.optional(),
  drop: z.literal(true).optional(),
  cut_bytes: z.int().min(0).optional(),
  slow_bytes_per_s: z.int().min(1).optional(),
  delay_ms: delay.optional(),
  stale: z.strictObject({ writes: z.int().min(1).max(1_000) }).optional(),
})

const when = z.strictObject({
  skip: z.int().min(0).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(0).optional(),
})

const ruleFields = {
  operation: z.string().optional(),
  method: z
    .union([method, z.array(method).min(1)], { error: `expected ${method.options.join(', ')}` })
    .optional(),
  path: z
    .string()
    .regex(/^\/[^?#]*$/, { error: 'expected a path that begins with a slash, without a query' })
    .optional(),
  key: z.string().optional(),
  when: when.optional(),
  phase: z.enum(['before', 'after-commit', 'mid-body']).optional(),
  effect,
}

/** A rule: each field by itself, and what goes together. */
export const faultRuleSchema: z.ZodType<FaultRule> = z
  .strictObject(ruleFields)
  .superRefine((rule, context) => {
    for (const { path, expected } of findRuleIssues(rule as FaultRule)) {
      context.addIssue({ code: 'custom', path: [...path], message: expected })
    }
  }) as unknown as z.ZodType<FaultRule>

/** Rules by name. */
export const presetRequestSchema: z.ZodType<{ readonly preset: string }> = z.strictObject({
  preset: z.enum(presetNames),
})

/** A rule that is in force, as it is listed. */
export const faultInfoSchema: z.ZodType<FaultInfo> = z.strictObject({
  id: z.string(),
  ...ruleFields,
  phase: ruleFields.phase.unwrap(),
  preset: z.string().nullable(),
  matched: z.int(),
  applied: z.int(),
  warning: z.string().nullable(),
}) as unknown as z.ZodType<FaultInfo>

const transportHeaders = ['content-length', 'transfer-encoding', 'trailer']

/** @note Headers takes control characters, which no server writes. */
function areValidHeaders(given: Readonly<Record<string, string>>): boolean {
  try {
    return [...new Headers(given)].every(
      ([name, value]) =>
        !transportHeaders.includes(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    )
  } catch {
    return false
  }
}
