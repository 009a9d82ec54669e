import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { isObject } from '../../utils/json.ts'
import { pythonTypeName } from '../../utils/python/text.ts'
import { type Because, Failure } from '../failures.ts'
import type { JsonSchema, ShapeOrSchema } from './shape.ts'

export interface ReadContext {
  readonly settings: PolicySettings
  exists(list: 'dashboard_items', id: number): boolean
  /** Whether the body is form-encoded, so that every value is a string. */
  readonly isForm: boolean
  /** Seen in the live service: numbers become text as Python prints them. By field, if one of them is unusual. */
  readonly numbers?: ReadonlyMap<string, string> | undefined
}

export interface Field<T> {
  /** The schema in the OpenAPI document, without null; or null to leave the field out of it. */
  schema(settings: PolicySettings): JsonSchema | null
  /** Reads a value, which is never null. @param numberText Python's text of a number. @throws FieldError for an invalid value */
  read(value: unknown, context: ReadContext, numberText?: string): T
  /** Whether null is valid. It is not by default. */
  nullable?(settings: PolicySettings): boolean
  /** Whether an empty string in a form is a value. By default the field counts as null or as missing. */
  acceptsBlank?(settings: PolicySettings): boolean
}

/** Thrown for an invalid value of a field. {@link readField} adds the name of the field. */
export class FieldError {
  readonly code: string
  readonly detail: string
  readonly because: Because | undefined

  constructor(code: string, detail: string, because?: Because) {
    this.code = code
    this.detail = detail
    this.because = because
  }
}

/** Makes a field nullable. @param nullable decides by policy; by default the policy `fields.nullable` */
export function nullableField<T>(
  field: Field<T>,
  nullable: (settings: PolicySettings) => boolean = isNullableByPolicy,
): Field<T | null> {
  return { ...field, nullable }
}

/** A field whose value is ignored. It can still be required. */
export const ignoredField: Field<never> = {
  schema: () => null,
  nullable: () => true,
  read: () => undefined as never,
}

/** By the policy `fields.nullable`, more fields are nullable than the documentation says. */
export function isNullableByPolicy(settings: PolicySettings): boolean {
  return settings['fields.nullable'] === 'observed'
}

/**
 * Normalizes an empty string in a form, which can express neither null nor a missing field: it counts as null in a
 * nullable field, and as a missing field otherwise. This is the rule of Django REST Framework 3.14
 * (`Field.get_value`), not seen in the live service.
 */
function normalizeBlank(
  field: Field<unknown>,
  value: unknown,
  { isForm, settings }: ReadContext,
): unknown {
  if (!isForm || value !== '' || field.acceptsBlank?.(settings)) return value
  return field.nullable?.(settings) ? null : undefined
}

/** Reads a field of a body, whose value can be null. @throws Failure `validation_error` with the name of the field */
function readField<T>(
  name: string,
  field: Field<T>,
  value: unknown,
  context: ReadContext,
): T | null {
  try {
    // In a form, null is a text, so reading it can return null, too.
    const numberText = typeof value === 'number' ? context.numbers?.get(name) : undefined
    const result = value === null ? null : field.read(value, context, numberText)
    if (result !== null || field.nullable?.(context.settings)) return result
    throw new FieldError('null', 'This field may not be null.')
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    const { code, detail, because } = error
    throw new Failure('validation_error', detail, { attr: name, code, because })
  }
}

/** Every field of a body by name, in the order in which they are validated. */
export type Fields<T> = { readonly [Name in keyof T]-?: Resolvable<Field<T[Name]>> }

export interface BodySchema<T> {
  readonly fields: Fields<Record<string, unknown>>
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
 * @example const body: BodySchema<{ content?: string }> = bodyOfFields({ content: textField(400) })
 */
export function bodyOfFields<T>(
  fields: Fields<NoInfer<T>>,
  required: Resolvable<readonly string[]> = [],
): BodySchema<T> {
  const entries = Object.entries<Resolvable<Field<unknown>>>(fields)
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
      return body as T
    },
  }
}

/** A missing body counts as an empty object. @throws Failure for any other value that is not an object */
function requireObject(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (isObject(value)) return value
  const because = { id: 'body.type' } as const
  if (value === null)
    throw new Failure('validation_error', 'No data provided', { code: 'null', because })
  const detail = `Invalid data. Expected a dictionary, but got ${pythonTypeName(value)}.`
  throw new Failure('validation_error', detail, { because })
}
