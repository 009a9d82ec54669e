import type * as z from 'zod'
import type { BodySchema } from '../../http/fields/field.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'

/**
 * A body that a schema checks. A missing body counts as `{}`. Every issue is reported with its path.
 */
export function jsonBody<T>(schema: z.ZodType<T>): BodySchema<T> {
  return {
    fields: {},
    required: [],
    schema,
    read(value = {}) {
      // Schemas drop this field silently.
      if (Object.hasOwn(Object(value), '__proto__')) {
        throw new UsageError(
          'Failed to read the body.',
          ['body: unknown field "__proto__"'],
          '__proto__',
        )
      }
      return parseOptions(schema, value, 'read the body', 'body')
    },
  }
}

/** A body that the simulator checks itself. @param schema for documents */
export function uncheckedBody<T>(schema?: z.ZodType): BodySchema<T> {
  return { fields: {}, required: [], ...(schema && { schema }), read: (value) => value as T }
}
