import { isObject, mapValues } from '../utils/json.ts'

type Schema = Readonly<Record<string, unknown>>

/** The versions of OpenAPI that a document is served in. */
export const openApiVersions = ['3.1', '3.0'] as const

/**
 * Converts an OpenAPI 3.1 document to 3.0.3, for generators that read no other. Schemas lose what the older dialect of
 * JSON Schema cannot say, such as the pattern of a property name, and keep their types.
 */
export function toOpenApi30(document: object): object {
  const { info, ...parts } = document as { info: { license: { name: string; identifier: string } } }
  const { name, identifier } = info.license
  const license = { name, url: `https://spdx.org/licenses/${identifier}.html` }
  return { ...withOlderSchemas(parts), openapi: '3.0.3', info: { ...info, license } }
}

/** Examples are values, which can have any names. */
const values: readonly string[] = ['example', 'examples', 'default', 'enum']

function withOlderSchemas<T extends object>(node: T): T {
  return mapValues(node, (part, name) => {
    if (typeof part !== 'object' || part === null || values.includes(name)) return part
    if (name === 'schema') return toOlderSchema(part)
    return name === 'schemas' ? mapValues(part, toOlderSchema) : withOlderSchemas(part)
  })
}

function toOlderSchema(node: unknown): unknown {
  if (node === true) return {}
  if (!isObject(node)) return node
  const { $ref, type, const: only, propertyNames: _, ...rest } = node as Schema
  const keywords = { ...olderKeywords(rest), ...(only !== undefined && { enum: [only] }) }
  if ($ref !== undefined) {
    return Object.keys(keywords).length === 0 ? { $ref } : { allOf: [{ $ref }], ...keywords }
  }
  // A type, also of nulls only, or a type and null.
  const [name, orNull] = [type].flat()
  if (name === 'null') return onlyNull
  return withNull({ ...(name !== undefined && { type: name }), ...keywords }, orNull === 'null')
}

/** `nullable` needs a type, which says nothing more here. */
const onlyNull: Schema = { type: 'string', nullable: true, enum: [null] }

function withNull(schema: Schema, isNullable: boolean): Schema {
  return isNullable ? { ...schema, nullable: true } : schema
}

function olderKeywords(schema: Schema): Schema {
  const keywords: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'properties') keywords[name] = mapValues(part as object, toOlderSchema)
    else if (name === 'anyOf' || name === 'oneOf') Object.assign(keywords, olderUnion(name, part))
    else if (name === 'allOf' || name === 'x-accepts') keywords[name] = olderList(part)
    else if (name === 'items' || name === 'not') keywords[name] = toOlderSchema(part)
    else if (name === 'additionalProperties') {
      keywords[name] = isObject(part) ? toOlderSchema(part) : part
    } else keywords[name] = part
  }
  return keywords
}

const olderList = (schemas: unknown) => (schemas as unknown[]).map(toOlderSchema)

/** A union with null is the rest of it, which can be null. */
function olderUnion(name: string, members: unknown): Schema {
  const schemas = (members as Schema[]).filter(({ type }) => type !== 'null')
  const isNullable = schemas.length < (members as Schema[]).length
  const [first, ...others] = olderList(schemas) as Schema[]
  if (first && others.length === 0 && first.$ref === undefined) return withNull(first, isNullable)
  return { [name]: [first, ...others, ...(isNullable ? [onlyNull] : [])] }
}
