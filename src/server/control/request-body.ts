import * as z from 'zod'
import type { BodySchema } from '../../http/fields/field.ts'
import { describeIssues, formatIssuePath, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import type { WorldJson } from '../../world/world-json.ts'

/**
 * A body that a schema checks. A missing body counts as `{}`. Every issue is reported with its path, unknown fields
 * first.
 */
export function jsonBody<T>(schema: z.ZodType<T>): BodySchema<T> {
  return {
    fields: {},
    required: [],
    schema,
    read(value = {}) {
      // Schemas drop this field silently.
      if (Object.hasOwn(Object(value), '__proto__')) {
        throw new UsageError(readFailed, ['body: unknown field "__proto__"'], '__proto__')
      }
      const parsed = schema.safeParse(value, suggestFields)
      if (parsed.success) return parsed.data
      throw bodyError(parsed.error, schema, value)
    },
  }
}

const readFailed = 'Failed to read the body.'

function bodyError({ issues }: z.ZodError, schema: z.ZodType, value: unknown): UsageError {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys')
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const lines = describeIssues(new z.ZodError([...unknown, ...others]), value, 'body')
  const [first] = unknown
  if (first?.code !== 'unrecognized_keys') return new UsageError(readFailed, lines)
  const isOfBody = first.path.length === 0 && schema instanceof z.ZodObject
  const hint = isOfBody ? ` Allowed fields: ${Object.keys(schema.shape).join(', ')}.` : ''
  const field = formatIssuePath([...first.path, first.keys[0] as string])
  return new UsageError(readFailed + hint, lines, field)
}

/** A body that the simulator checks itself. @param schema for documents */
export function uncheckedBody<T>(schema?: z.ZodType): BodySchema<T> {
  return { fields: {}, required: [], ...(schema && { schema }), read: (value) => value as T }
}

/** A whole world in the format of fixtures. Loading it reports every issue. */
export const worldBody: BodySchema<WorldJson> = uncheckedBody(worldSchema)

/** Fills the lists that a world leaves to the factories, which load on demand. */
export async function withGeneratedRows(world: WorldJson): Promise<WorldJson> {
  if (!world?.generate) return world
  const { generateInSlices } = await import('../../world/factories/generate.ts')
  return generateInSlices(world)
}
