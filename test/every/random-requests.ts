import fc from 'fast-check'
import documented from '../../src/api/openapi.json' with { type: 'json' }
import live from '../../src/api/openapi.live.json' with { type: 'json' }
import type { Simulator } from '../../src/index.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** What the service accepts beyond the plain type */
  readonly 'x-accepts'?: readonly Schema[]
  /** Only ever that the value is not null */
  readonly not?: object
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $ref?: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

/** What is read of an OpenAPI document. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A request that an OpenAPI document allows. */
interface RandomRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body: { readonly type: string; readonly text: string } | null
  readonly key: string | null
}

export const documents = {
  documented: documented as unknown as OpenApi,
  live: live as unknown as OpenApi,
}

export const send = (
  simulator: Simulator,
  { method, path, key, body }: RandomRequest,
): Promise<Response> =>
  simulator.fetch(path, {
    method,
    body: body?.text ?? null,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== null && { 'content-type': body.type }),
    },
  })

/** 150 requests that the document of a profile allows, always the same. */
export const requestsOf = (profile: keyof typeof documents): RandomRequest[] =>
  fc.sample(randomRequests(documents[profile], ['phx_all', 'phx_old', 'phx_none']), {
    numRuns: 150,
    seed: 1,
  })

/**
 * Generates requests that a document allows: parameters and bodies of its schemas, and what `x-accepts` adds. It knows
 * the document only, beside keys and ids of the world `default`, so that most requests reach a row.
 */
export function randomRequests(
  document: OpenApi,
  keys: readonly string[],
): fc.Arbitrary<RandomRequest> {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, parameters } = operation
      const located = (location: string) =>
        parameters.filter((parameter) => parameter.in === location)
      return fc
        .record({
          parts: valuesOf(located('path'), (parameter) => partOf(parameter, path)),
          query: valuesOf(located('query'), ({ schema }) => anyValue(schema), []),
          body: bodyOf(operation, document),
          key: fc.option(fc.constantFrom(...keys), { freq: 20 }),
        })
        .map(({ parts, query, body, key }) => {
          const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
            encodeURIComponent(`${parts[name]}`),
          )
          const search = String(new URLSearchParams(query))
          const target = search === '' ? filled : `${filled}?${search}`
          return { operation: operationId, method: method.toUpperCase(), path: target, body, key }
        })
    }),
  )
  return fc.oneof(...requests)
}

function valuesOf(
  parameters: readonly Parameter[],
  toValue: (parameter: Parameter) => fc.Arbitrary<unknown>,
  requiredKeys = parameters.map(({ name }) => name),
): fc.Arbitrary<Record<string, string>> {
  const values = parameters.map((parameter) => [parameter.name, toValue(parameter).map(String)])
  return fc.record(Object.fromEntries(values), { requiredKeys })
}

const known: Readonly<Record<string, readonly unknown[]>> = {
  project_id: [1, 2],
  organization_id: ['018f2b6e-0000-7000-8000-00000000000a'],
}

/** A part of a path, mostly one of the world. */
function partOf({ name, schema }: Parameter, path: string): fc.Arbitrary<unknown> {
  const ids = known[name] ?? (path.includes('plugins') ? [21, 22, 23] : [1, 2, 3])
  // Without a part, or with dots, it is another path.
  const other = anyValue(schema).filter((value) => !/^\.*$/.test(String(value)))
  return fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 8 }, other)
}

function bodyOf(
  { requestBody }: Operation,
  document: OpenApi,
): fc.Arbitrary<RandomRequest['body']> {
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const { properties = {} } =
      document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
    const fields = Object.entries(properties).map(([name, field]) => [name, anyValue(field)])
    const values: fc.Arbitrary<object> = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
    if (type === 'application/json')
      return values.map((body) => ({ type, text: JSON.stringify(body) }))
    if (type !== 'application/x-www-form-urlencoded') return []
    return values.map((body) => ({ type, text: toForm(body, properties) }))
  })
  return fc.oneof(fc.constant(null), ...bodies)
}

/** A form cannot have null. It has JSON where any JSON is allowed, and texts otherwise. */
function toForm(body: object, properties: Readonly<Record<string, Schema>>): string {
  const fields = Object.entries(body)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [
      name,
      isAnyJson(properties[name]) ? JSON.stringify(value) : String(value),
    ])
  return String(new URLSearchParams(fields))
}

function isAnyJson({ type, anyOf }: Schema = {}): boolean {
  return type === undefined && anyOf === undefined
}

/** A value of a schema, or of what is accepted beyond it. */
function anyValue({ 'x-accepts': accepted = [], ...schema }: Schema): fc.Arbitrary<unknown> {
  const plain = { arbitrary: plainValue(schema), weight: 3 }
  return fc.oneof(plain, ...accepted.map(plainValue))
}

function plainValue(schema: Schema): fc.Arbitrary<unknown> {
  const { type = 'json', const: only, enum: values = only === undefined ? null : [only] } = schema
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(plainValue))
  if (values) return fc.constantFrom(...values)
  return fc.oneof(...[type].flat().map((name) => valueOfType(name, schema)))
}

function valueOfType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = Number.MIN_SAFE_INTEGER, not } = schema
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(
        fc.integer({ min: minimum }),
        fc.maxSafeInteger().map((n) => Math.max(n, minimum)),
      )
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'string':
      return textOf(schema)
    case 'json':
      return fc.jsonValue().filter((value) => not === undefined || value !== null)
    default:
      throw new Error(`No values for the type ${type}.`)
  }
}

const times = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})

function textOf({ format, pattern, maxLength = 1_000 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return times.map((time) => time.toISOString())
  if (format === 'date') return times.map((time) => time.toISOString().slice(0, 10))
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const short = fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 20) })
  // Graphemes can have several code points.
  const long = fc.string({ unit: 'binary-ascii', maxLength, size: 'max' })
  return fc.oneof({ arbitrary: short, weight: 9 }, long).filter((text) => text.length <= maxLength)
}
