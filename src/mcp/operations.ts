import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { isObject } from '../utils/json.ts'
import { existing, isReading, tool } from './tool.ts'

type Schema = Readonly<Record<string, unknown>>

interface Operation extends Schema {
  readonly operationId: string
  readonly summary: string
}

/** An operation, and its method and path. */
interface Described {
  readonly request: string
  readonly operation: Operation
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const operations = tool(
  'operations',
  'List the operations of the API. With an id, METHOD /path or words: its parameters, fields of bodies, scope and statuses.',
  { operation: z.string().optional() },
  ({ server }, { operation }) => describeOperations(server, operation),
  isReading,
  { names: { id: 'operation', name: 'operation', path: 'operation' } },
)

/** Reads the document of the server. @param wanted an id, `METHOD /path`, or words of both @throws UsageError for an unknown one */
async function describeOperations(server: Remote, wanted: string | undefined) {
  const response = await server.fetch('/openapi.json')
  const { paths, components } = (await response.json()) as ApiDocument
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.operationId ? [{ request: `${method.toUpperCase()} ${path}/`, operation }] : [],
    ),
  )
  const found = findRequests(all, wanted ?? '')
  if (found.length > 1) return found.map(lineOf)
  const ids = all.map(({ operation }) => operation.operationId)
  const { request, operation } = existing(found[0], `Operation ${wanted}`, ids, wanted)
  const schemaOf = (schema: unknown): Schema => {
    const { $ref } = Object(schema)
    return typeof $ref === 'string'
      ? (components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
      : (Object(schema) as Schema)
  }
  const body = schemaOf(jsonOf(operation.requestBody)?.schema)
  const responses = Object(operation.responses) as Schema
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return {
    operation: operation.operationId,
    request,
    summary: operation.summary,
    // Each place of a key has the same ones.
    scope: Object.values((operation.security as Schema[] | undefined)?.[0] ?? {}).flat(),
    query: parametersOf(operation.parameters),
    body: describeFields(body, schemaOf),
    example: jsonOf(operation.requestBody)?.example,
    returns: describeFields(schemaOf(jsonOf(success)?.schema), schemaOf),
    answers: Object.keys(responses),
  }
}

const lineOf = ({ request, operation }: Described) => `${operation.operationId}: ${request}`

/** What an id or a path names, else what has all of the words. */
function findRequests(all: readonly Described[], wanted: string): readonly Described[] {
  const [, method = '', path] = /^(?:([a-z]+)\s+)?(\/.*)$/i.exec(wanted) ?? []
  const named = all.filter(
    ({ request, operation }) =>
      operation.operationId === wanted ||
      (path !== undefined &&
        request.startsWith(method.toUpperCase()) &&
        isPathOf(request.replace(/^.* /, ''), path)),
  )
  const words = wanted.toLowerCase().split(/[^a-z]+/)
  const hasWords = (line: string) => words.every((word) => line.toLowerCase().includes(word))
  return named.length > 0 ? named : all.filter((described) => hasWords(lineOf(described)))
}

/** Whether a path, with or without a final slash, is one of an operation. */
function isPathOf(template: string, path: string): boolean {
  const [known, sent] = [template, path].map((text) => text.replace(/^\/|\/$|\?.*/g, '').split('/'))
  return (
    known?.length === sent?.length &&
    known?.every((segment, at) => segment.startsWith('{') || segment === sent?.[at]) === true
  )
}

function jsonOf(body: unknown): Schema | undefined {
  return Object(body).content?.['application/json']
}

function parametersOf(parameters: unknown): Record<string, unknown> {
  const query = (parameters as Schema[] | undefined)?.filter(
    (parameter) => parameter.in === 'query',
  )
  return Object.fromEntries((query ?? []).map(({ name, description }) => [name, description]))
}

/** Such as `{ 'scope?': 'dashboard_item | project | organization' }`. */
function describeFields(
  { properties, required }: Schema,
  schemaOf: (schema: unknown) => Schema,
): Record<string, string> | undefined {
  if (!isObject(properties)) return undefined
  const names = Object.entries(properties).map(([name, field]) => {
    const isNeeded = Array.isArray(required) && required.includes(name)
    return [isNeeded ? name : `${name}?`, describeType(schemaOf(field))]
  })
  return Object.fromEntries(names)
}

function describeType({ type, enum: words, anyOf, oneOf, format, maxLength }: Schema): string {
  if (Array.isArray(words)) return words.map(String).join(' | ')
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices))
    return choices.map((choice) => describeType(Object(choice))).join(' | ')
  const name = [type ?? 'any JSON'].flat().join(' | ')
  const limit = maxLength === undefined ? '' : ` of at most ${maxLength} characters`
  return `${name}${format === undefined ? '' : ` (${format})`}${limit}`
}
