import * as z from 'zod'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { countCodePoints } from '../../utils/python/text.ts'
import type { Json } from '../rows.ts'
import { isJson, maxJsonDepth } from '../world-format.ts'

/** The highest id a world may give: numbers stay exact for as many rows again as anybody adds. */
export const maxId = 9_000_000_000_000_000

export const idSchema: z.ZodInt = z.int().min(1).max(maxId)

export const uuidSchema: z.ZodString = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    error: 'expected a UUID in lower case',
  })

/** What a field of any JSON may hold. */
export const jsonValueSchema: z.ZodType<Json> = z.unknown().refine(isJson, {
  error: `expected a value of JSON of at most ${maxJsonDepth} levels`,
}) as z.ZodType<Json>

export const jsonObjectSchema: z.ZodType<{ [key: string]: Json }> = z.record(
  z.string(),
  jsonValueSchema,
)

/** Most times have this form; reading any other takes ten times as long. */
const commonTime =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{6})?Z$/

/** A time in any form that the service accepts. */
export const timeSchema: z.ZodString = z
  .string()
  .meta({ format: 'date-time' })
  .refine(
    (text) => commonTime.test(text) || !['invalid', 'overflow'].includes(parseDateTime(text)),
    {
      error: 'expected an ISO 8601 time',
    },
  )

/** A text of so many characters at most. */
export function textSchema(limit: number): z.ZodString {
  return z
    .string()
    .meta({ maxLength: limit })
    .refine((value) => value.length <= limit || countCodePoints(value) <= limit, {
      error: `expected at most ${limit} characters`,
    })
}

/** One of the words that were ever seen. Where a policy lets the service store any, loading forgives others. */
export function enumSchema<const Known extends readonly string[]>(
  ...known: Known
): z.ZodType<string> {
  return z.enum(known)
}

/** A list that names each of its items once. */
export function uniqueArraySchema<Item>(item: z.ZodType<Item>): z.ZodArray<z.ZodType<Item>> {
  return z
    .array(item)
    .meta({ uniqueItems: true })
    .check(({ value, issues }) => {
      const named = new Set<Item>()
      for (const [index, item] of value.entries()) {
        if (named.has(item)) {
          const message = 'expected each only once'
          issues.push({ code: 'custom', message, path: [index], input: value })
        }
        named.add(item)
      }
    })
}
