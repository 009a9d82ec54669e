import type { Resolvable } from '../../policies/by-policy.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { pythonTypeName } from '../../utils/python/text.ts'
import { Failure } from '../failures.ts'
import { type Field, normalizeBlank, type ReadContext, readField } from './field.ts'
import type { ShapeOrSchema } from './shape.ts'

/** The fields a body may hold, by name, in the order in which they are checked. */
export type Fields = { readonly [name: string]: Resolvable<Field<unknown>> }

/** What is read from a body: each field that was given, with the type its field gives. */
export type BodyValues<F extends Fields> = {
  -readonly [Name in keyof F]?: F[Name] extends Resolvable<Field<infer T>> ? T : never
}

/** How an endpoint declares its body. */
export interface BodySchema<T> {
  readonly fields: Fields
  readonly required: Resolvable<readonly string[]>
  /** What it may be, where that is more than fields. */
  readonly schema?: ShapeOrSchema<unknown>
  /** @throws Failure `validation_error` for the first field, in the order of `fields`, that is refused */
  read(value: unknown, reading: ReadContext): T
}

/**
 * A body of fields of which any may be missing. Fields it does not know, and fields that appear in responses
 * only, are ignored (observed §4).
 *
 * @param required names of fields that may not be missing after all
 * @example const changes = bodyOf({ content: text(400), deleted: boolean })
 */
export function bodyOfFields<F extends Fields>(
  fields: F,
  required: Resolvable<readonly string[]> = [],
): BodySchema<BodyValues<F>> {
  const entries = Object.entries(fields)
  return {
    fields,
    required,
    read(value, reading) {
      const given = requireObject(value)
      const needed = resolveByPolicy(required, reading.settings)
      const body: Record<string, unknown> = {}
      for (const [name, declared] of entries) {
        const field = resolveByPolicy(declared, reading.settings)
        const sent = Object.hasOwn(given, name) ? given[name] : undefined
        const value = normalizeBlank(field, sent, reading)
        if (value !== undefined) {
          const read = readField(name, field, value, reading)
          if (read !== undefined) body[name] = read
        } else if (needed.includes(name)) {
          throw new Failure('validation_error', 'This field is required.', {
            attr: name,
            code: 'required',
          })
        }
      }
      return body as BodyValues<F>
    },
  }
}

/** @throws Failure for null and for whatever is no object, in the service's words (observed §4.2) */
function requireObject(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (value === null) throw new Failure('validation_error', 'No data provided', { code: 'null' })
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  const got = pythonTypeName(value)
  throw new Failure('validation_error', `Invalid data. Expected a dictionary, but got ${got}.`)
}
