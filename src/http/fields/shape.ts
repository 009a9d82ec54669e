import type { ZodType } from 'zod'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Json } from '../../world/rows.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * The JSON Schema of a response, with its TypeScript type. Responses are described but not validated, so the request
 * path needs no validator.
 */
export type Shape<T> = JsonSchema & {
  /** Never set. It carries the type. */
  readonly '~type'?: T
}

export type ShapeOrSchema<T> = Shape<T> | ZodType<T>

type TypeOf<S> = S extends { readonly '~type'?: infer T } ? Exclude<T, undefined> : never
type Shapes = { readonly [name: string]: Shape<unknown> }

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

export function formattedText(format: 'date-time' | 'uuid'): Shape<string> {
  return { type: 'string', format }
}

export function nullableShape<T>(shape: Shape<T>): Shape<T | null> {
  const { type, ...keywords } = shape
  const isPlain = type !== undefined && Object.keys(keywords).length === 0
  return isPlain ? { type: [type, 'null'] } : { anyOf: [shape, nullShape] }
}

export function listOf<T>(item: Shape<T>): Shape<T[]> {
  return { type: 'array', items: item }
}

export function recordOf<T>(value: Shape<T>): Shape<{ [name: string]: T }> {
  return { type: 'object', propertyNames: anyText, additionalProperties: value }
}

/**
 * Describes an object with these fields. All of them are required, except those of {@link whenPolicies}.
 *
 * @param others the shape of other fields, or false if there are none
 */
export function objectOf<S extends Shapes>(
  fields: S,
  others: false | Shape<unknown> = false,
): Shape<{ [Name in keyof S]: TypeOf<S[Name]> }> {
  const required = Object.keys(fields).filter((name) => !fields[name]?.when)
  return { type: 'object', properties: fields, required, additionalProperties: others }
}

export function pickFields<T extends object>(shape: Shape<T>, values: T): T {
  const names = Object.keys(shape.properties as Shapes) as (keyof T)[]
  return Object.fromEntries(names.map((name) => [name, values[name]])) as T
}

/** The settings of policies under which a field exists. */
export type ShapeCondition = {
  readonly [Id in keyof PolicySettings]?: readonly PolicySettings[Id][]
}

/** Describes a field that exists only under some settings of policies, and then always. */
export function whenPolicies<T>(settings: ShapeCondition, shape: Shape<T>): Shape<T> {
  return { ...shape, when: settings }
}
