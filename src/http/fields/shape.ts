import type { ZodType } from 'zod'
import type { Json } from '../../utils/json.ts'
import type { Entity } from '../../world/entities/entity.ts'
import type { Field, FieldKind } from '../../world/entities/field.ts'

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

export const uuid: Shape<string> = { type: 'string', format: 'uuid' }
export const dateTime: Shape<string> = { type: 'string', format: 'date-time' }

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
 * Describes an object with these fields. All of them are required, except those with a condition.
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

/** By the kind of a field. All others are texts: stored e-mail addresses can break their format. */
const shapes: { readonly [Kind in FieldKind]?: Shape<unknown> } = {
  id: integer,
  uuid,
  integer,
  flag: bool,
  time: dateTime,
  json: anyJson,
  object: recordOf(anyJson),
  nothing: nullShape,
}

function fieldShape({ kind, list, embedded }: Field): Shape<unknown> {
  if (embedded) return responseShape<unknown>(embedded)
  if (kind === 'reference') return list === 'organizations' ? uuid : integer
  return shapes[kind] ?? anyText
}

/** Describes the rows of an entity in responses. A field with a condition exists only under it, and then always. */
export function responseShape<T>({ fields }: Pick<Entity, 'fields'>): Shape<T> {
  const shown = Object.values<Field>(fields).filter(({ isHidden }) => !isHidden)
  const named = shown.map((field) => {
    const { name, isNullable, condition } = field
    const shape = isNullable ? nullableShape(fieldShape(field)) : fieldShape(field)
    return [name, condition ? { ...shape, when: condition } : shape]
  })
  return objectOf(Object.fromEntries(named)) as Shape<T>
}
