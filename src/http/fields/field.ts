import type { PolicySettings } from '../../policies/policies.ts'
import { Failure } from '../failures.ts'
import type { JsonSchema } from './shape.ts'

/** What reading a body needs to know besides the body. */
export interface ReadContext {
  readonly settings: PolicySettings
  /** Whether a row exists that a field points at. */
  exists(list: 'dashboard_items', id: number): boolean
  /** The body came form-encoded: each value is a text. */
  readonly isForm: boolean
}

/**
 * One writable field of a body: how a value of it is read, and what its documents say. `read` meets every
 * value but null; it throws `invalid(…)` for one it refuses.
 */
export interface Field<T> {
  /** What may be sent, null aside; null where nobody needs to know of the field. */
  schema(settings: PolicySettings): JsonSchema | null
  read(value: unknown, reading: ReadContext): T
  /** Whether null is taken as it is; a field without this refuses it. */
  nullable?(settings: PolicySettings): boolean
  /** Whether a blank of a form is a value like any other; in a field without this it says nothing. */
  acceptsBlank?(settings: PolicySettings): boolean
}

/** The words of a rule that a value breaks; `bodyOf` adds which field it was. */
export class FieldError {
  readonly code: string
  readonly detail: string

  constructor(code: string, detail: string) {
    this.code = code
    this.detail = detail
  }
}

/**
 * The same field, which may be null: as observed, unless told who decides.
 *
 * @example orNull(text(400))
 */
export function nullableField<T>(
  field: Field<T>,
  nullable: (settings: PolicySettings) => boolean = isNullableByPolicy,
): Field<T | null> {
  return { ...field, nullable }
}

/** A field that a body may hold and nobody reads, so that it can be asked for all the same. */
export const ignoredField: Field<never> = {
  schema: () => null,
  nullable: () => true,
  read: () => undefined as never,
}

/** Null as observed, or only where the document allows it, by the policy `fields.nullable`. */
export function isNullableByPolicy(settings: PolicySettings): boolean {
  return settings['fields.nullable'] === 'observed'
}

/**
 * A value as its field meets it. A form can say neither null nor nothing: a blank stands for null where that may
 * be, and else the field is left out. The observations are silent here; it is what Django REST Framework 3.14
 * does (`Field.get_value`).
 */
export function normalizeBlank(
  field: Field<unknown>,
  value: unknown,
  reading: ReadContext,
): unknown {
  const { isForm, settings } = reading
  if (!isForm || value !== '' || field.acceptsBlank?.(settings)) return value
  return field.nullable?.(settings) ? null : undefined
}

/** Reads one field of a body, null included, and names the field in what it throws. */
export function readField<T>(
  name: string,
  field: Field<T>,
  value: unknown,
  reading: ReadContext,
): T | null {
  try {
    // In a form null is a text, so that reading it may give null as well.
    const read = value === null ? null : field.read(value, reading)
    if (read !== null || field.nullable?.(reading.settings)) return read
    throw new FieldError('null', 'This field may not be null.')
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    throw new Failure('validation_error', error.detail, {
      attr: name,
      code: error.code,
    })
  }
}
