import * as z from 'zod'
import type { BodySchema } from '../../http/fields/body-schema.ts'
import { describeIssues, formatIssuePath } from '../../utils/schema-issues.ts'
import { didYouMean, inspectValue, UsageError } from '../../utils/usage-error.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import type { WorldJson } from '../../world/world-json.ts'

/** 512 MiB, for bodies that hold rows. */
export const rowsBodyLimit = 536_870_912

/**
 * A body that a schema checks. A missing body counts as `{}`. Every issue is reported with its path, unknown fields
 * first.
 *
 * @example body: jsonBody(z.strictObject({ name: z.string() }))
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
      const parsed = schema.safeParse(value)
      if (parsed.success) return parsed.data
      throw bodyError(parsed.error, schema, value)
    },
  }
}

const readFailed = 'Failed to read the body.'

function bodyError({ issues }: z.ZodError, schema: z.ZodType, value: unknown): UsageError {
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const unknown: string[] = []
  const others = issues.filter((issue) => {
    if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) return true
    unknown.push(...issue.keys)
    return false
  })
  const lines = [
    ...unknown.map(
      (name) => `body: unknown field ${inspectValue(name)} (${hintFor(name, allowed)})`,
    ),
    ...describeIssues(new z.ZodError(others), value, 'body'),
  ]
  return new UsageError(readFailed, lines, unknown[0] ?? nestedUnknownField(others[0]))
}

function hintFor(name: string, allowed: readonly string[]): string {
  const meant = didYouMean(name, allowed)
  return meant === undefined
    ? `allowed: ${allowed.join(', ')}`
    : `did you mean ${inspectValue(meant)}?`
}

/** The path of an unknown field. For any other issue, its own path is the field. */
function nestedUnknownField(issue: z.core.$ZodIssue | undefined): string | null {
  return issue?.code === 'unrecognized_keys'
    ? formatIssuePath([...issue.path, issue.keys[0] as string])
    : null
}

/**
 * A body that the simulator checks itself.
 *
 * @param schema for documents
 */
export function uncheckedBody<T>(schema?: z.ZodType): BodySchema<T> {
  return { fields: {}, required: [], ...(schema && { schema }), read: (value) => value as T }
}

/** A whole world in the format of fixtures. Loading it reports every issue. */
export const worldBody: BodySchema<WorldJson> = uncheckedBody(worldSchema)

/** Fills the lists that a world leaves to the factories, which load on demand. */
export async function withGeneratedRows(world: WorldJson): Promise<WorldJson> {
  if (!world?.generate) return world
  const { generate } = await import('../../world/factories/generate.ts')
  return generate(world)
}
