import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { isObject } from '../utils/json.ts'
import { existing, isReading, tool } from './tool.ts'

type Schema = Readonly<Record<string, unknown>>

interface Operation extends Schema {
  readonly operationId: string
  readonly summary: string
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
  const all = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]): [string, Operation][] => {
        const line = `${operation.operationId}: ${method.toUpperCase()} ${path}/`
        return operation.operationId ? [[line, operation]] : []
      }),
    ),
  )
  const lines = [...all.keys()]
  const found = findLines(lines, wanted ?? '')
  if (found.length > 1) return found
  const ids = lines.map((line) => line.replace(/:.*/, ''))
  const line = existing(found[0], `Operation ${wanted}`, ids, wanted)
  const operation = all.get(line) as Operation
  const schemaOf = (schema: unknown): Schema => {
    const { $ref, allOf } = Object(schema)
    // The server sets an example body beside the reference to its schema.
    if (Array.isArray(allOf)) return schemaOf(allOf[0])
    return typeof $ref === 'string'
      ? (components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
      : (Object(schema) as Schema)
  }
  const body = schemaOf(jsonOf(operation.requestBody)?.schema)
  const responses = Object(operation.responses) as Schema
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return {
    operation: operation.operationId,
    request: line.replace(/^.*: /, ''),
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

/** The lines that an id or a path names, else those that have all of the words. */
function findLines(lines: readonly string[], wanted: string): readonly string[] {
  const [, verb = '', path] = /^(?:([a-z]+)\s+)?(\/.*)$/i.exec(wanted) ?? []
  const named = lines.filter((line) => {
    const [id, method = '', template = ''] = line.split(/:? /)
    const isMethod = verb === '' || method === verb.toUpperCase()
    return id === wanted || (path !== undefined && isMethod && isPathOf(template, path))
  })
  const words = wanted.toLowerCase().split(/[^a-z]+/)
  const hasWords = (line: string) => words.every((word) => line.toLowerCase().includes(word))
  return named.length > 0 ? named : lines.filter(hasWords)
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
