import type * as z from 'zod'
import type { BodySchema } from '../fields/body.ts'
import { UsageError } from '../usage-error.ts'
import { describeIssues, formatIssuePath } from '../world/faults.ts'
import { worldSchema } from '../world/schema/world.ts'
import type { WorldJson } from '../world/world-json.ts'

const readFailed = 'Failed to read the body.'

/**
 * A body of the control API. A missing one counts as `{}`; every fault is told with its path.
 *
 * @example body: bodyOf(z.strictObject({ name: z.string() }))
 */
export function jsonBody<T>(schema: z.ZodType<T>): BodySchema<T> {
  return {
    fields: {},
    required: [],
    schema,
    read(value = {}) {
      // Schemas leave it out without a word: nothing shall be taken for done that was not.
      if (Object.hasOwn(Object(value), '__proto__')) {
        throw new UsageError(readFailed, ['body: expected no field "__proto__"'], '__proto__')
      }
      const parsed = schema.safeParse(value)
      if (parsed.success) return parsed.data
      const faults = describeIssues(parsed.error, value, 'body')
      throw new UsageError(readFailed, faults, unknownField(parsed.error))
    },
  }
}

/** The first fault, where it is a field that nobody knows: then that is the field at fault. */
function unknownField({ issues: [first] }: z.ZodError): string | null {
  return first?.code === 'unrecognized_keys'
    ? formatIssuePath([...first.path, first.keys[0] as string])
    : null
}

/**
 * Any JSON: whoever gets it says what is wrong with it.
 *
 * @param schema what documents say of it
 */
export function uncheckedBody<T>(schema?: z.ZodType): BodySchema<T> {
  return { fields: {}, required: [], ...(schema && { schema }), read: (value) => value as T }
}

/** A whole world in the format of fixtures; loading it tells every fault. */
export const worldBody: BodySchema<WorldJson> = uncheckedBody(worldSchema)
