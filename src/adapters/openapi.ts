import * as z from 'zod'
import type { FailureName } from '../errors.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { failures } from '../http/failure.ts'
import type { Parameters } from '../http/parameters.ts'
import { resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { type BodyNode, toBodySchema, toJsonSchema } from './openapi-schema.ts'

/** What a document says besides its operations. */
export interface DocumentHead {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers: readonly object[]
  /** Schemas that have a name, under which each is written once. */
  readonly named: Readonly<Record<string, z.ZodType>>
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** What every operation asks for. */
  readonly security?: readonly object[]
  /** The failures that every operation has. */
  readonly errors: readonly FailureName[]
}

/**
 * Endpoints as an OpenAPI 3.1 document: the same bytes for the same endpoints and settings. What a policy
 * decides is shown as the settings have it.
 *
 * @example toOpenApi(controlEndpoints, settle(), { info: { title: 'Control', version: '1' }, … })
 */
export function toOpenApi(
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
  head: DocumentHead,
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, settings, head)
  }
  const { info, servers, named, securitySchemes, security } = head
  const schemas = Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, toJsonSchema(schema, 'output', {})]),
  )
  return {
    openapi: '3.1.0',
    info,
    servers,
    ...(security && { security }),
    paths,
    components: {
      schemas: { ...schemas, Error: errorSchema },
      ...(securitySchemes && { securitySchemes }),
    },
  }
}

function toOperation(
  endpoint: Endpoint<never>,
  settings: PolicySettings,
  { named, errors }: DocumentHead,
): object {
  const { id, summary, params, query = {}, mediaType = 'application/json' } = endpoint
  const status = resolve(endpoint.status, settings)
  const schema = resolve(endpoint.response, settings) as z.ZodType
  const body = resolve(endpoint.body ?? null, settings) as BodyNode | null
  const content = { [mediaType]: { schema: toJsonSchema(schema, 'output', named) } }
  return {
    operationId: id,
    summary,
    parameters: [
      ...toParameters(params, 'path', settings),
      ...toParameters(query, 'query', settings),
    ],
    ...(body && {
      requestBody: {
        content: { 'application/json': { schema: toBodySchema(body, settings, named) } },
      },
    }),
    responses: {
      [status]: {
        description: summary,
        ...(schema instanceof z.ZodUndefined ? {} : { content }),
      },
      ...toErrors([...errors, ...endpoint.errors]),
    },
  }
}

function toParameters(
  parameters: Parameters,
  place: 'path' | 'query',
  settings: PolicySettings,
): object[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const { description, schema, required = place === 'path' } = resolve(parameter, settings)
    return { name, in: place, required, description, schema }
  })
}

/** By status, as several failures share one. */
function toErrors(names: readonly FailureName[]): Record<string, object> {
  const statuses = [...new Set(names.map((name) => failures[name].status))].sort()
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = new Set(names.filter((name) => failures[name].status === status))
      return [status, { description: [...codes].join(', '), content }]
    }),
  )
}

const errorSchema = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: { type: 'string' },
    code: { type: 'string' },
    detail: { type: 'string', description: 'What was expected, what came, and what to do.' },
    attr: { type: ['string', 'null'], description: 'The field at fault, where it is one.' },
  },
}
