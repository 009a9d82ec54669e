import * as z from 'zod'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { countCodePoints } from '../../utils/python/text.ts'
import type { Json } from '../rows.ts'
import { isJson, maxId, maxJsonDepth } from '../world-format.ts'

export const idSchema: z.ZodInt = z.int().min(1).max(maxId)

export const uuidSchema: z.ZodString = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    error: 'expected a lower-case UUID',
  })

export const jsonValueSchema: z.ZodType<Json> = z.unknown().refine(isJson, {
  error: `expected a JSON value with at most ${maxJsonDepth} levels`,
}) as z.ZodType<Json>

export const jsonObjectSchema: z.ZodType<{ [key: string]: Json }> = z.record(
  z.string(),
  jsonValueSchema,
)

/** How every accepted time starts, for JSON Schema: with digits of any script, and a `W` in front of a week. */
export const timePattern = '^[^\\s!-/:-~]{4}-?W?[^\\s!-/:-~]'

/** A time in any format that the service accepts: more than the format `date-time` of JSON Schema. */
export const timeSchema: z.ZodString = z
  .string()
  .meta({ pattern: timePattern })
  .refine((text) => !['invalid', 'overflow'].includes(parseDateTime(text)), {
    error: 'expected an ISO 8601 time',
  })

export function textSchema(maxLength: number): z.ZodString {
  return z
    .string()
    .meta({ maxLength })
    .refine((value) => value.length <= maxLength || countCodePoints(value) <= maxLength, {
      error: `expected at most ${maxLength} characters`,
    })
}

export function uniqueArraySchema<Item>(itemSchema: z.ZodType<Item>): z.ZodArray<z.ZodType<Item>> {
  return z
    .array(itemSchema)
    .meta({ uniqueItems: true })
    .check(({ value, issues }) => {
      const items = new Set<Item>()
      for (const [index, item] of value.entries()) {
        if (items.has(item)) {
          const message = 'expected no repeated item'
          issues.push({ code: 'custom', message, path: [index], input: value })
        }
        items.add(item)
      }
    })
}
