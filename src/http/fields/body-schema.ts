import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import { isObject } from '../../utils/json.ts'
import { pythonTypeName } from '../../utils/python/text.ts'
import { Failure } from '../failures.ts'
import { type Field, normalizeBlank, type ReadContext, readField } from './field.ts'
import type { ShapeOrSchema } from './shape.ts'

/** The fields of a body by name, in the order in which they are validated. */
export type Fields = { readonly [name: string]: Resolvable<Field<unknown>> }

/** The values of a body: only the fields that the request contains. */
export type BodyValues<F extends Fields> = {
  -readonly [Name in keyof F]?: F[Name] extends Resolvable<Field<infer T>> ? T : never
}

/** The body of an endpoint. */
export interface BodySchema<T> {
  readonly fields: Fields
  readonly required: Resolvable<readonly string[]>
  /** Describes a body that is not an object with these fields. */
  readonly schema?: ShapeOrSchema<unknown>
  /** @throws Failure `validation_error` for the first invalid field, in the order of `fields` */
  read(value: unknown, context: ReadContext): T
}

/**
 * Defines a body by its fields, which are optional by default. Other fields are ignored.
 *
 * @param required the names of required fields
 * @example const changes = bodyOfFields({ content: textField(400), deleted: booleanField })
 */
export function bodyOfFields<F extends Fields>(
  fields: F,
  required: Resolvable<readonly string[]> = [],
): BodySchema<BodyValues<F>> {
  const entries = Object.entries(fields)
  return {
    fields,
    required,
    read(value, context) {
      const source = requireObject(value)
      const requiredNames = resolveByPolicy(required, context.settings)
      const body: Record<string, unknown> = {}
      for (const [name, resolvable] of entries) {
        const field = resolveByPolicy(resolvable, context.settings)
        const sent = Object.hasOwn(source, name) ? source[name] : undefined
        const normalized = normalizeBlank(field, sent, context)
        if (normalized !== undefined) {
          const result = readField(name, field, normalized, context)
          if (result !== undefined) body[name] = result
        } else if (requiredNames.includes(name)) {
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

/** A missing body counts as an empty object. @throws Failure for any other value that is not an object */
function requireObject(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (value === null) throw new Failure('validation_error', 'No data provided', { code: 'null' })
  if (isObject(value)) return value
  const type = pythonTypeName(value)
  throw new Failure('validation_error', `Invalid data. Expected a dictionary, but got ${type}.`)
}
