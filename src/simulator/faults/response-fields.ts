import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { isObject } from '../../utils/json.ts'

/** A field of a response, or an object in it. */
export interface ResponseField {
  /** Such as `created_by.email`; empty for a row itself. The fields of a list or a page are those of its rows. */
  readonly path: string
  /** The last part of the path. */
  readonly name: string
  readonly schema: JsonSchema
}

type Properties = Readonly<Record<string, JsonSchema>>

/** Lists the fields of a response, starting with its row. */
export function listFields(shape: JsonSchema): ResponseField[] {
  const rowShape = rowShapeOf(shape)
  return rowShape ? fieldsBelow({ path: '', name: '', schema: rowShape }) : []
}

function fieldsBelow(field: ResponseField): ResponseField[] {
  const children = Object.entries(propertiesOf(field.schema) ?? {})
  return [field, ...children.flatMap(([name, schema]) => fieldsBelow(child(field, name, schema)))]
}

/** Returns the new value of a field. @param row the row that has it, unchanged */
type ReplaceField = (value: unknown, field: ResponseField, row: unknown) => unknown

/** Replaces the fields of a body, the inner ones first. Everything that the shape does not describe stays. */
export function mapFields(body: unknown, shape: JsonSchema, replace: ReplaceField): unknown {
  const schema = withoutNull(shape)
  if (Array.isArray(body)) {
    return body.map((item) => mapFields(item, (schema.items ?? {}) as JsonSchema, replace))
  }
  if (!isPage(schema)) return mapField(body, { path: '', name: '', schema }, replace)
  const { results } = propertiesOf(schema) as Properties
  return mapProperties(body, (value, name) =>
    name === 'results' ? mapFields(value, results as JsonSchema, replace) : value,
  )
}

function mapField(
  value: unknown,
  field: ResponseField,
  replace: ReplaceField,
  row: unknown = value,
): unknown {
  const properties = propertiesOf(field.schema)
  const inner = properties
    ? mapProperties(value, (property, name) => {
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
        return schema ? mapField(property, child(field, name, schema), replace, row) : property
      })
    : value
  return replace(inner, field, row)
}

/** @note `Object.fromEntries` also copies a property named `__proto__`. */
function mapProperties(value: unknown, map: (value: unknown, name: string) => unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each, name)]))
}

function child({ path }: ResponseField, name: string, schema: JsonSchema): ResponseField {
  return { path: path === '' ? name : `${path}.${name}`, name, schema }
}

/** Whether a response is one page of a list, with links to other pages. */
export function isPage(schema: JsonSchema): boolean {
  const { results, next } = propertiesOf(schema) ?? {}
  return results !== undefined && next !== undefined
}

/** Whether a field describes an object whose fields have names. */
export function isRecord({ schema }: ResponseField): boolean {
  return propertiesOf(schema) !== undefined
}

export function isTime({ schema }: ResponseField): boolean {
  return withoutNull(schema).format === 'date-time'
}

/** The shape of the rows of a response, or undefined if it has none with named fields. */
export function rowShapeOf(shape: JsonSchema): JsonSchema | undefined {
  if (shape.items) return rowShapeOf(shape.items as JsonSchema)
  if (isPage(shape)) return rowShapeOf(propertiesOf(shape)?.results as JsonSchema)
  return propertiesOf(shape) && shape
}

function propertiesOf(schema: JsonSchema): Properties | undefined {
  return withoutNull(schema).properties as Properties | undefined
}

/** The schema of a value that is not null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema as { readonly anyOf?: readonly JsonSchema[] }
  return anyOf?.find(({ type }) => type !== 'null') ?? schema
}
