import type * as z from 'zod'
import type { Body } from '../fields/body.ts'
import { UsageError } from '../usage-error.ts'
import { faultsOf } from '../world/faults.ts'

/**
 * A body of the control API. A missing one counts as `{}`; every fault is told with its path.
 *
 * @example body: bodyOf(z.strictObject({ name: z.string() }))
 */
export function bodyOf<T>(schema: z.ZodType<T>): Body<T> {
  return {
    fields: {},
    required: [],
    schema,
    read(value = {}) {
      const parsed = schema.safeParse(value)
      if (parsed.success) return parsed.data
      throw new UsageError('Failed to read the body.', faultsOf(parsed.error, value, 'body'))
    },
  }
}

/** Any JSON: whoever gets it says what is wrong with it. */
export function anyBody<T>(): Body<T> {
  return { fields: {}, required: [], read: (value) => value as T }
}
