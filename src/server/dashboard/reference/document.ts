/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, ApiResponse>>
  }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ApiResponse>>
  readonly 'x-policies'?: readonly string[]
}

export interface ApiParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, MediaType>>

interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface ApiResponse {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}

/** A schema in JSON Schema 2020-12. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** An operation with its method and its path. */
export interface DocumentedOperation extends Operation {
  readonly method: string
  readonly path: string
}

export function operationsOf({ paths }: ApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

/** The scopes that a key needs for an operation. */
export function scopesOf({ security = [] }: Operation): readonly string[] {
  return security.flatMap((each) => Object.values(each).flat())
}

/** The first body of a message, with its media type and an example. */
export function bodyOf(content: Content | undefined) {
  const [entry] = Object.entries(content ?? {})
  if (!entry) return null
  const [mediaType, { schema, example, examples }] = entry
  const all =
    example === undefined
      ? Object.entries(examples ?? {}).map(([name, { value }]) => [name, value] as const)
      : [['Example', example] as const]
  return { mediaType, schema, examples: all }
}

/** A value to start from: the required fields, each with a value of its type. */
export function startingValue(schema: Schema | undefined, document: ApiDocument): unknown {
  const [first = {}] = alternativesOf(schema ?? {}, document)
  const { type, properties = {}, required = [], items, minimum = 0 } = first
  if (first.const !== undefined || first.enum) return first.const ?? first.enum?.[0]
  if (items) return [startingValue(items, document)]
  if (type === 'string') return ''
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return minimum
  return Object.fromEntries(
    required.map((name) => [name, startingValue(properties[name], document)]),
  )
}

/** A response by its status, where a reference leads to the responses that several operations share. */
export function responsesOf({ responses }: Operation, { components }: ApiDocument) {
  return Object.entries(responses).map(([status, response]) => {
    const name = response.$ref?.split('/').at(-1) ?? ''
    return { status: Number(status), ...(components?.responses?.[name] ?? response) }
  })
}

/** A field of a body: its path, such as `results[].created_by.email`, and its type in words. */
export interface DocumentedField {
  readonly path: string
  readonly type: string
  readonly note: string
  readonly isRequired: boolean
}

/** Deeper fields are named by the type of their object. */
const maxDepth = 4

/** Lists the fields of a body, also those of rows in its lists. */
export function listFields(
  schema: Schema | undefined,
  document: ApiDocument,
  prefix = '',
  depth = 0,
): DocumentedField[] {
  const kinds = alternativesOf(schema ?? {}, document)
  return kinds.flatMap(({ properties, required = [], items }) => {
    if (items) return depth < maxDepth ? listFields(items, document, `${prefix}[]`, depth + 1) : []
    return Object.entries(properties ?? {}).flatMap(([name, field]) => {
      const path = prefix === '' ? name : `${prefix}.${name}`
      const inner = depth < maxDepth ? listFields(field, document, path, depth + 1) : []
      return [
        {
          path,
          type: describeType(field, document),
          note: notesOf(field, document).join(' '),
          isRequired: required.includes(name),
        },
        ...inner,
      ]
    })
  })
}

/** @example describeType({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, document) // 'integer from 1 or null' */
export function describeType(schema: Schema, document: ApiDocument): string {
  const alternatives = alternativesOf(schema, document)
  // An alternative with a description is read as one of the others, such as a text for a number.
  const plain = alternatives.filter(({ description }) => description === undefined)
  const names = (plain.length > 0 ? plain : alternatives).map((each) =>
    describeKind(each, document),
  )
  const [last = 'any JSON', ...others] = [...new Set(names)].reverse()
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
}

/** The default of a parameter or a field, as JSON. */
export function defaultOf(schema: Schema, document: ApiDocument): string {
  const found = alternativesOf(schema, document).find((each) => each.default !== undefined)
  return found === undefined ? '' : JSON.stringify(found.default)
}

/** The descriptions of a schema and of its alternatives. */
export function notesOf(schema: Schema, document: ApiDocument): string[] {
  const notes = [schema, ...alternativesOf(schema, document)].map((each) => each.description)
  return [...new Set(notes.filter((note) => note !== undefined))]
}

function alternativesOf(schema: Schema, document: ApiDocument): Schema[] {
  const name = schema.$ref?.split('/').at(-1)
  const known = name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
  const { anyOf, oneOf = anyOf } = known
  if (oneOf) return oneOf.flatMap((each) => alternativesOf(each, document))
  const { type } = known
  return Array.isArray(type) ? type.map((each) => ({ ...known, type: each })) : [known]
}

function describeKind(schema: Schema, document: ApiDocument): string {
  const { type, format, items, const: constant } = schema
  if (constant !== undefined) return JSON.stringify(constant)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if (items) return `array of ${describeType(items, document)}`
  const name = format ?? type
  return name === undefined ? 'any JSON' : `${name}${describeBounds(schema)}`
}

function describeBounds({ minimum, maximum, maxLength, minLength }: Schema): string {
  const isBound = (limit: number | undefined) => Math.abs(limit ?? Infinity) < 2 ** 53 - 1
  return [
    isBound(minimum) && ` from ${minimum}`,
    isBound(maximum) && ` to ${maximum}`,
    minLength !== undefined && ` of ${minLength} or more characters`,
    maxLength !== undefined && ` of up to ${maxLength} characters`,
  ]
    .filter(Boolean)
    .join('')
}
