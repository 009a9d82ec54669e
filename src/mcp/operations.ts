import * as z from 'zod'
import { existing, isReading, tool } from './tool.ts'

type Schema = Readonly<Record<string, unknown>>

interface Operation extends Schema {
  readonly operationId: string
  readonly summary: string
  /** Such as `GET /api/projects/` */
  readonly request: string
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'request'>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const operations = tool(
  'operations',
  'List the operations of the API. With an id or words: its parameters, the schema of its body, scope and statuses.',
  { operation: z.string().optional() },
  async ({ server }, { operation: wanted = '' }) => {
    const response = await server.fetch('/openapi.json')
    const { paths, components } = (await response.json()) as ApiDocument
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]): Operation[] =>
        operation.operationId
          ? [{ ...operation, request: `${method.toUpperCase()} ${path}/` } as Operation]
          : [],
      ),
    )
    const named = all.filter(({ operationId }) => operationId === wanted)
    // The numbers of a path, and what its template has in their place, are no words.
    const words = wanted.toLowerCase().match(/[a-z]+/g) ?? []
    const found = all.filter(({ operationId, request }) =>
      words.every((word) => `${operationId} ${request}`.toLowerCase().includes(word)),
    )
    const lines = found.map(({ operationId, request }) => `${operationId}: ${request}`)
    if (named.length === 0 && lines.length > 1) return lines
    const ids = all.map(({ operationId }) => operationId)
    const operation = existing(named[0] ?? found[0], `Operation ${wanted}`, ids, wanted)
    return describe(operation, components.schemas)
  },
  { hints: isReading, names: { id: 'operation', name: 'operation', path: 'operation' } },
)

function describe(operation: Operation, schemas: ApiDocument['components']['schemas']): object {
  const { operationId, request, summary, security, parameters, requestBody, responses } = operation
  const query = (parameters as Schema[] | undefined)?.filter(
    (parameter) => parameter.in === 'query',
  )
  const { schema, example } = Object(requestBody).content?.['application/json'] ?? {}
  const { $ref } = Object(schema)
  return {
    ...{ operation: operationId, request, summary },
    // Each place of a key has the same ones.
    scope: Object.values((security as Schema[] | undefined)?.[0] ?? {}).flat(),
    query: Object.fromEntries((query ?? []).map(({ name, description }) => [name, description])),
    body: schemas[$ref?.split('/').at(-1)],
    example,
    answers: Object.keys(Object(responses)),
  }
}
