import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import { isObject } from '../../utils/json.ts'
import { pythonTypeName } from '../../utils/python/text.ts'
import type { Entity } from '../../world/entities/entity.ts'
import type { Field } from '../../world/entities/field.ts'
import { Failure } from '../failures.ts'
import { type BodyField, type ReadContext, toBodyField } from './body-field.ts'
import type { ShapeOrSchema } from './shape.ts'

/**
 * Normalizes an empty string in a form, which can express neither null nor a missing field: it counts as null in a
 * nullable field, and as a missing field otherwise. This is the rule of Django REST Framework 3.14
 * (`Field.get_value`), not seen in the live service.
 */
function normalizeBlank(
  field: BodyField,
  value: unknown,
  { isForm, settings }: ReadContext,
): unknown {
  if (!isForm || value !== '' || field.acceptsBlank(settings)) return value
  return field.nullable(settings) ? null : undefined
}

/** Reads a field of a body, whose value can be null. @throws Failure `validation_error` with the name of the field */
function readField(name: string, field: BodyField, value: unknown, context: ReadContext): unknown {
  // In a form, null is a text, so reading it can return null, too.
  const numberText = typeof value === 'number' ? context.numbers?.get(name) : undefined
  const result = value === null ? null : field.read(value, context, numberText)
  if (result !== null || field.nullable(context.settings)) return result
  throw new Failure('validation_error', 'This field may not be null.', { attr: name, code: 'null' })
}

export interface BodySchema<T> {
  /** By name, in the order in which they are validated */
  readonly fields: { readonly [name: string]: Resolvable<BodyField> }
  readonly required: Resolvable<readonly string[]>
  /** Describes a body that is not an object with these fields. */
  readonly schema?: ShapeOrSchema<unknown>
  /** @throws Failure `validation_error` for the first invalid field, in the order of `fields` */
  read(value: unknown, context: ReadContext): T
}

/**
 * Defines a body by the writable fields of an entity, which are optional by default. Other fields are ignored.
 *
 * @param others how further fields of the entity are read
 * @param required the names of required fields
 * @example const body: BodySchema<AnnotationChanges> = bodyOf(annotation)
 */
export function bodyOf<T>(
  entity: Pick<Entity, 'fields'>,
  others: { readonly [name: string]: Resolvable<BodyField> } = {},
  required: Resolvable<readonly string[]> = [],
): BodySchema<T> {
  const entries = Object.values<Field>(entity.fields)
    .filter(({ name, writable }) => writable || others[name])
    .map((field) => [field.name, others[field.name] ?? toBodyField(field)] as const)
  return {
    fields: Object.fromEntries(entries),
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
      return body as T
    },
  }
}

/** A missing body counts as an empty object. @throws Failure for any other value that is not an object */
export function requireObject(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (isObject(value)) return value
  const because = { id: 'body.type' } as const
  if (value === null)
    throw new Failure('validation_error', 'No data provided', { code: 'null', because })
  const detail = `Invalid data. Expected a dictionary, but got ${pythonTypeName(value)}.`
  throw new Failure('validation_error', detail, { because })
}
