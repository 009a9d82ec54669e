import type { Endpoint } from '../../src/http/endpoint.ts'
import { failureResponse } from '../../src/http/failure-response.ts'
import { Failure, type FailureName, failureFormats } from '../../src/http/failures.ts'
import type { ShapeOrSchema } from '../../src/http/fields/body-fields.ts'
import { bodyText } from '../../src/http/messages.ts'
import type { Parameters } from '../../src/http/parameters.ts'
import { isEndpointEnabled } from '../../src/http/route.ts'
import { bySetting, resolveBySetting } from '../../src/settings/by-setting.ts'
import type { SettingValues } from '../../src/settings/setting.ts'
import { mapValues } from '../../src/utils/json.ts'
import {
  type DescribedBody,
  isEmptyBody,
  toBodySchema,
  toJsonSchema,
  toRequestBody,
} from './json-schema.ts'

export interface OpenApiOptions {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly [field: string]: unknown
  }
  readonly servers: readonly object[]
  readonly tags: Readonly<Record<string, string>>
  readonly tagOf: (endpoint: Endpoint) => string
  /** Named schemas. Each is written once and referred to everywhere else. */
  readonly responseSchemas: Readonly<Record<string, ShapeOrSchema<unknown>>>
  readonly requestBodies?: Readonly<Record<string, DescribedBody>>
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly securityOf: (endpoint: Endpoint) => readonly object[]
  readonly errorsOf: (endpoint: Endpoint) => readonly FailureName[]
  /** The example of a failure; by default without a detail of its own */
  readonly errorExample?: (name: FailureName) => Failure
  readonly parameters?: readonly object[]
  /** The media types of request bodies */
  readonly mediaTypes: () => readonly string[]
  readonly exampleOf?: (endpoint: Endpoint) => OperationExample | undefined
  /** Fields to add to an operation, such as a description */
  readonly detailsOf?: (endpoint: Endpoint) => object
}

export interface OperationExample {
  /** Undefined for a request without a body */
  readonly requestBody: unknown
  readonly response: ResponseExample
}

export interface OpenApiDocument {
  readonly [field: string]: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/**
 * Describes endpoints as an OpenAPI 3.1 document. Settings are resolved by the values. The same endpoints, values
 * and options give the same bytes.
 */
export function toOpenApiDocument(
  endpoints: readonly Endpoint[],
  settings: SettingValues,
  options: OpenApiOptions,
): OpenApiDocument {
  const { info, servers, tags, securitySchemes } = options
  const { responseSchemas, requestBodies = {} } = options
  const errors = new ErrorResponses(settings, options)
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints.filter((each) => isEndpointEnabled(each, settings))) {
    const path = toPathTemplate(endpoint)
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, settings, options, errors)
  }
  return withSchemaReferences({
    openapi: '3.1.0',
    info,
    servers,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: {
        ...mapToSchemas(responseSchemas, (schema) => toJsonSchema(schema, 'output', settings)),
        ...mapToSchemas(requestBodies, (body) => toBodySchema(body, settings)),
        Error: errorSchema,
      },
      responses: errors.components,
      securitySchemes,
    },
  })
}

function toPathTemplate({ path }: Endpoint): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function mapToSchemas<T>(
  values: Readonly<Record<string, T>>,
  toSchema: (value: T) => object,
): Record<string, object> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toSchema(value)]))
}

function toOperation(
  endpoint: Endpoint,
  settings: SettingValues,
  options: OpenApiOptions,
  errors: ErrorResponses,
): object {
  const { parameters = [], mediaTypes } = options
  const { id, summary, params, query = {} } = endpoint
  const body = resolveBySetting(endpoint.body ?? null, settings) as DescribedBody | null
  const example = options.exampleOf?.(endpoint)
  return {
    operationId: id,
    summary,
    ...options.detailsOf?.(endpoint),
    tags: [options.tagOf(endpoint)],
    security: options.securityOf(endpoint),
    parameters: [
      ...toParameters(params, 'path', settings),
      ...toParameters(query, 'query', settings),
      ...parameters,
    ],
    ...(body && {
      requestBody: toRequestBody(body, settings, mediaTypes(), example?.requestBody),
    }),
    responses: toResponses(
      endpoint,
      settings,
      options.errorsOf(endpoint),
      errors,
      example?.response,
    ),
  }
}

function toParameters(
  parameters: Parameters,
  location: 'path' | 'query',
  settings: SettingValues,
): object[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const resolved = resolveBySetting(parameter, settings)
    const { description, required = location === 'path' } = resolved
    const schema =
      typeof resolved.schema === 'function' ? resolved.schema(settings) : resolved.schema
    return schema === null ? [] : [{ name, in: location, required, description, schema }]
  })
}

/** Replaces each copy of a named schema by a reference, and removes named schemas that are never referred to. */
function withSchemaReferences(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, responses = {} } = document.components
  const names = new Map(
    Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]),
  )
  const replaceNode = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const name = names.get(JSON.stringify(node))
    return name === undefined ? replaceChildren(node) : { $ref: `${schemaPrefix}${name}` }
  }
  const replaceChildren = <Node extends object>(node: Node): Node => mapValues(node, replaceNode)
  const paths = replaceChildren(document.paths)
  const shared = replaceChildren(responses)
  const defined = mapToSchemas(schemas, replaceChildren)
  const used = referencedNames([paths, shared], defined)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(defined).filter(([name]) => used.has(name))),
      responses: shared,
    },
  }
}

const schemaPrefix = '#/components/schemas/'

function referencedNames(
  node: unknown,
  schemas: Readonly<Record<string, unknown>>,
  names: Set<string> = new Set(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue
    referencedNames(schemas[name], schemas, names.add(name))
  }
  return names
}

interface ResponseExample {
  readonly headers: Readonly<Record<string, string>>
  /** A parsed JSON value, or a text of another type; undefined for no body */
  readonly body: unknown
}

export function toResponseExample(
  headers: Readonly<Record<string, string>>,
  text: string,
): ResponseExample {
  const isJson = headers['content-type']?.startsWith('application/json')
  return { headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text }
}

function toResponses(
  endpoint: Endpoint,
  settings: SettingValues,
  commonErrors: readonly FailureName[],
  errors: ErrorResponses,
  example?: ResponseExample,
): Record<string, object> {
  const status = String(resolveBySetting(endpoint.status, settings))
  const failures = [...commonErrors, ...resolveBySetting(endpoint.errors, settings)]
  // An operation that is always refused declares the status of an error.
  const { [status]: ownErrors, ...otherErrors } = groupByStatus(failures, settings)
  const content = ownErrors ? errors.content : toContent(endpoint, settings)
  const exampleFields = example?.body === undefined ? {} : { example: example.body }
  return {
    ...errors.toReferences(otherErrors),
    [status]: {
      description: ownErrors?.join(', ') ?? endpoint.summary,
      ...headersOf(example?.headers),
      ...(content && { content: mapMediaTypes(content, exampleFields) }),
    },
  }
}

function toContent(endpoint: Endpoint, settings: SettingValues): Content | null {
  const response = resolveBySetting(endpoint.response, settings)
  if (isEmptyBody(response)) return null
  return { 'application/json': { schema: toJsonSchema(response, 'output', settings) } }
}

/** The error responses of a document. Each is written once, in `components`, and named after its failures. */
class ErrorResponses {
  readonly components: Record<string, object> = {}
  readonly content: Content | null
  readonly #toComponent: (names: readonly FailureName[]) => object

  constructor(settings: SettingValues, { errorExample }: OpenApiOptions) {
    const toExample = errorExample ?? ((name: FailureName) => new Failure(name))
    const content = resolveBySetting(errorContent, settings)
    this.content = content
    this.#toComponent = (names) => {
      const responses = names.map((name) => {
        const { headers, body } = failureResponse(toExample(name), settings)
        return toResponseExample(headers, bodyText(body))
      })
      const examples = Object.fromEntries(
        names.map((name, index) => [name, { value: responses[index]?.body }]),
      )
      return {
        description: names.join(', '),
        ...headersOf(Object.assign({}, ...responses.map(({ headers }) => headers))),
        ...(content && { content: mapMediaTypes(content, { examples }) }),
      }
    }
  }

  toReferences(failures: FailuresByStatus): Record<string, object> {
    return Object.fromEntries(
      Object.entries(failures).map(([status, names]) => {
        const name = names.map(toPascalCase).join('Or')
        this.components[name] ??= this.#toComponent(names)
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }
}

type FailuresByStatus = Readonly<Record<string, readonly FailureName[]>>

function groupByStatus(
  failures: readonly FailureName[],
  settings: SettingValues,
): FailuresByStatus {
  // By setting an insufficient key gets the response of a missing resource.
  const isKeyHidden =
    failures.includes('permission_denied') && settings['keys.insufficient.status'] === '404'
  const names = new Set([...failures, ...(isKeyHidden ? ['not_found'] : [])])
  const groups: Record<string, FailureName[]> = {}
  for (const name of failureNames.filter((each) => names.has(each))) {
    const { status } = failureResponse(new Failure(name), settings)
    groups[status] = [...(groups[status] ?? []), name]
  }
  return groups
}

const failureNames = Object.keys(failureFormats) as FailureName[]

function toPascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The body of an error. */
const errorSchema: object = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: { enum: [...new Set(Object.values(failureFormats).map(({ type }) => type))] },
    code: { type: 'string' },
    detail: { type: 'string', description: 'The problem, in one sentence.' },
    attr: { type: ['string', 'null'], description: 'The invalid field, if there is one.' },
  },
  additionalProperties: false,
}

type Content = Readonly<Record<string, object>>

const jsonContent = (schema: object): Content => ({ 'application/json': { schema } })

const errorContent = bySetting('errors.body', {
  envelope: jsonContent(errorSchema),
  detail: jsonContent({
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string' } },
    additionalProperties: false,
  }),
  list: jsonContent({ type: 'array', items: errorSchema, minItems: 1, maxItems: 1 }),
  html: { 'text/html': { schema: { type: 'string' } } },
  empty: null,
})

function mapMediaTypes(content: Content, fields: object): Content {
  return mapValues(content, (media) => ({ ...(media as object), ...fields }))
}

/** All headers but those that OpenAPI describes elsewhere, and those of every response. */
function headersOf(values: Readonly<Record<string, string>> = {}): object {
  const headers = Object.entries(values)
    .filter(([name]) => !['content-type', 'content-length'].includes(name))
    .map(([name, example]) => [name, { schema: { type: 'string' }, example }])
  return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }
}
