import type { ZodType } from 'zod'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Json } from '../../world/rows.ts'

/**
 * What an answer is made of: its JSON Schema, with the type it stands for. Answers are described, never read, so
 * that nothing else is needed where requests are answered.
 */
export type Shape<T> = JsonSchema & {
  /** Of types alone: no shape has it. */
  readonly '~type'?: T
}

/** What something is made of: a shape, or a schema where one is there to read the same by. */
export type ShapeOrSchema<T> = Shape<T> | ZodType<T>

type Of<S> = S extends { readonly '~type'?: infer T } ? Exclude<T, undefined> : never
type Shapes = { readonly [name: string]: Shape<unknown> }

/** No body at all. */
export const noBody: Shape<undefined> = {}
export const bool: Shape<boolean> = { type: 'boolean' }
export const nullShape: Shape<null> = { type: 'null' }
export const anyText: Shape<string> = { type: 'string' }
export const anyJson: Shape<Json> = {}

export const integer: Shape<number> = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}

/** A text in a form that JSON Schema has a name for. */
export function formattedText(format: 'date-time' | 'email' | 'uuid'): Shape<string> {
  return { type: 'string', format }
}

export function nullableShape<T>(shape: Shape<T>): Shape<T | null> {
  const { type, ...more } = shape
  const isPlain = type !== undefined && Object.keys(more).length === 0
  return isPlain ? { type: [type, 'null'] } : { anyOf: [shape, nullShape] }
}

export function listOf<T>(item: Shape<T>): Shape<T[]> {
  return { type: 'array', items: item }
}

/** Any names, with values of one shape. */
export function recordOf<T>(value: Shape<T>): Shape<{ [name: string]: T }> {
  return { type: 'object', propertyNames: anyText, additionalProperties: value }
}

/**
 * An object with these fields.
 *
 * @param others what fields besides them may hold; false, when missing, where there are none
 * @example objectOf({ id: integer, content: orNone(anyText) })
 */
export function objectOf<S extends Shapes>(
  fields: S,
  others: false | Shape<unknown> = false,
): Shape<{ [Name in keyof S]: Of<S[Name]> }> {
  const required = Object.keys(fields).filter((name) => !fields[name]?.when)
  return { type: 'object', properties: fields, required, additionalProperties: others }
}

/** A field that only some settings have, in which it is always there. */
export function whenPolicies<T>(settings: Partial<PolicySettings>, shape: Shape<T>): Shape<T> {
  return { ...shape, when: settings }
}

/** A JSON Schema, as far as a field says one. */
export type JsonSchema = { readonly [keyword: string]: unknown }
