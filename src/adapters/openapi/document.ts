import type { Endpoint } from '../../http/endpoint.ts'
import type { FailureName } from '../../http/failures.ts'
import type { ShapeOrSchema } from '../../http/fields/shape.ts'
import { isEndpointEnabled } from '../../http/methods.ts'
import type { Parameters } from '../../http/parameters.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { toJsonSchema } from './json-schema.ts'
import { type DescribedBody, toBodySchema, toRequestBody } from './request-body.ts'
import { errorSchema, toResponses } from './responses.ts'

/** What a document says besides its operations. */
export interface OpenApiOptions {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly [more: string]: unknown
  }
  readonly servers: readonly object[]
  /** What operations are about, by a name for each group. */
  readonly tags: Readonly<Record<string, string>>
  readonly tagOf: (endpoint: Endpoint<never>) => string
  /** Schemas that have a name, under which each is written once. */
  readonly responseSchemas: Readonly<Record<string, ShapeOrSchema<unknown>>>
  /** Bodies that have one. */
  readonly requestBodies?: Readonly<Record<string, DescribedBody>>
  readonly securitySchemes: Readonly<Record<string, object>>
  /** What an operation asks of its caller. */
  readonly securityOf: (endpoint: Endpoint<never>) => readonly object[]
  /** The failures that an operation has besides its own. */
  readonly errorsOf: (endpoint: Endpoint<never>) => readonly FailureName[]
  /** What every operation may be sent besides its own parameters. */
  readonly parameters?: readonly object[]
  /** What a body may be made of: JSON alone unless it says. */
  readonly mediaTypes?: readonly string[]
}

/** An OpenAPI document, as far as others write on in it. */
export interface OpenApiDocument {
  readonly [more: string]: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/**
 * Endpoints as an OpenAPI 3.1 document: the same bytes for the same endpoints and settings. What a policy
 * decides is shown as the settings have it.
 *
 * @example toOpenApi(controlEndpoints, settle(), { info: { title: 'Control', version: '1' }, … })
 */
export function toOpenApiDocument(
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
  head: OpenApiOptions,
): OpenApiDocument {
  const { info, servers, tags, securitySchemes } = head
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints.filter((one) => isEndpointEnabled(one, settings))) {
    const path = toPathTemplate(endpoint)
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, settings, head)
  }
  const document = {
    openapi: '3.1.0',
    info,
    servers,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: toComponentSchemas(head, settings), securitySchemes },
  }
  return withSchemaReferences(document)
}

/** The path of an endpoint as documents write it: `/api/projects/{project_id}/annotations`. */
export function toPathTemplate({ path }: Endpoint<never>): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function toComponentSchemas(
  { responseSchemas, requestBodies = {} }: OpenApiOptions,
  settings: PolicySettings,
): Record<string, object> {
  const schemas = Object.entries(responseSchemas).map(
    ([name, schema]) => [name, toJsonSchema(schema, 'output', settings)] as const,
  )
  const sent = Object.entries(requestBodies).map(
    ([name, body]) => [name, toBodySchema(body, settings)] as const,
  )
  return Object.fromEntries([...schemas, ...sent, ['Error', errorSchema]])
}

function toOperation(
  endpoint: Endpoint<never>,
  settings: PolicySettings,
  {
    tagOf,
    securityOf,
    errorsOf,
    parameters = [],
    mediaTypes = ['application/json'],
  }: OpenApiOptions,
): object {
  const { id, summary, params, query = {} } = endpoint
  const body = resolveByPolicy(endpoint.body ?? null, settings) as DescribedBody | null
  return {
    operationId: id,
    summary,
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint),
    parameters: [
      ...toParameters(params, 'path', settings),
      ...toParameters(query, 'query', settings),
      ...parameters,
    ],
    ...(body && { requestBody: toRequestBody(body, settings, mediaTypes) }),
    responses: toResponses(endpoint, settings, errorsOf(endpoint)),
  }
}

/** The parameters of a path or a query as OpenAPI has them, without those that nobody reads. */
function toParameters(
  parameters: Parameters,
  place: 'path' | 'query',
  settings: PolicySettings,
): object[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const {
      description,
      schema: given,
      required = place === 'path',
    } = resolveByPolicy(parameter, settings)
    const schema = typeof given === 'function' ? given(settings) : given
    return schema === null ? [] : [{ name, in: place, required, description, schema }]
  })
}

/**
 * The same document, in which every schema that has a name is written once, and elsewhere referred to. A name that
 * nothing refers to is left out.
 */
function withSchemaReferences<Document extends OpenApiDocument>(document: Document): Document {
  const schemas = document.components.schemas ?? {}
  const names = new Map(
    Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]),
  )
  const refer = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const name = names.get(JSON.stringify(node))
    return name === undefined ? within(node) : { $ref: `${schemaPrefix}${name}` }
  }
  const within = (node: object): unknown =>
    Array.isArray(node)
      ? node.map(refer)
      : Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value)]))
  const paths = within(document.paths) as Document['paths']
  const defined = Object.entries(schemas).map(([name, schema]) => [name, within(schema)] as const)
  const needed = referencedNames(paths, Object.fromEntries(defined))
  const kept = defined.filter(([name]) => needed.has(name))
  return {
    ...document,
    paths,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  }
}

const schemaPrefix = '#/components/schemas/'

/** The names that something refers to, and those that these refer to. */
function referencedNames(
  node: unknown,
  schemas: Readonly<Record<string, unknown>>,
  known: Set<string> = new Set(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (known.has(name)) continue
    referencedNames(schemas[name], schemas, known.add(name))
  }
  return known
}
