import { endpoints } from '../../src/api/endpoints.ts'
import { isAllowed } from '../../src/http/check.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { Failure, type FailureName, failureFormats } from '../../src/http/failures.ts'
import { acceptedMediaTypes, type Parameters } from '../../src/http/input.ts'
import { bodyText, failureResponse } from '../../src/http/messages.ts'
import { throttledFailure } from '../../src/http/throttle.ts'
import {
  choose,
  type PerSetting,
  perSetting,
  possibleValues,
  type SettingValues,
} from '../../src/settings/setting.ts'
import { mapValues } from '../../src/utils/json.ts'
import { type OperationExample, toExample } from './examples.ts'
import { type DescribedBody, isEmptyBody, toJsonSchema, toRequestBody } from './json-schema.ts'

export interface Operation {
  readonly operation: { readonly [field: string]: unknown }
  /** The error responses that it refers to, by name. Operations share them. */
  readonly responses: Readonly<Record<string, object>>
}

/** Describes an endpoint under the values of all settings. */
export function describeOperation(
  endpoint: Endpoint,
  settings: SettingValues,
  example: OperationExample | undefined,
): Operation {
  const { operation: operationId, summary, path, params, query = {} } = endpoint
  const body = choose(endpoint.body ?? null, settings) as DescribedBody | null
  const errors = errorsByStatus(endpoint, settings)
  const status = String(choose(endpoint.status, settings))
  // An operation that is always refused declares the status of an error.
  const { [status]: ownErrors, ...otherErrors } = errors
  const content = ownErrors ? choose(errorContent, settings) : ownContent()
  const shown = example?.body === undefined ? {} : { example: example.body }

  return {
    operation: {
      operationId,
      summary,
      tags: [path.split('/')[4] ?? 'projects'],
      security: securityOf(endpoint, settings),
      parameters: [
        ...toParameters(params, 'path', settings, example?.params),
        ...toParameters(query, 'query', settings),
      ],
      ...(body && {
        requestBody: toRequestBody(
          body,
          settings,
          acceptedMediaTypes(settings),
          example?.requestBody,
        ),
      }),
      responses: {
        ...mapValues(otherErrors, (names) => ({
          $ref: `#/components/responses/${nameOf(names as FailureName[])}`,
        })),
        [status]: {
          description: ownErrors?.join(', ') ?? summary,
          ...headersOf(example?.headers),
          ...(content && { content: withFields(content, shown) }),
        },
      },
    },
    responses: Object.fromEntries(
      Object.values(otherErrors).map((names) => [nameOf(names), toErrorResponse(names, settings)]),
    ),
  }

  function ownContent(): Content | null {
    const response = choose(endpoint.response, settings)
    return isEmptyBody(response) ? null : jsonContent(toJsonSchema(response, 'output', settings))
  }
}

/** OpenAPI cannot describe a key in a body, so such a request is described as one without a key. */
export function securitySchemes(settings: SettingValues): Record<string, object> {
  const inHeader = {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key. An operation requires one of its scopes. The scope `*` stands for all, and a key from before scopes existed has full access.',
  }
  const inQuery = {
    type: 'apiKey',
    in: 'query',
    name: 'personal_api_key',
    description:
      'The same key as a query parameter. A body field of this name works as well; then no scheme is needed.',
  }
  return {
    personalApiKey: inHeader,
    ...(settings['keys.places'] === 'header' ? {} : { personalApiKeyInQuery: inQuery }),
  }
}

const apiScopes = [...new Set(endpoints.flatMap(({ scope }) => possibleValues(scope)))]
  .filter((scope) => scope.includes(':'))
  .toSorted()

function securityOf({ scope, body = null }: Endpoint, settings: SettingValues): object[] {
  const rule = choose(scope, settings)
  const enough = apiScopes.filter((scope) => isAllowed({ scopes: [scope] }, rule, settings))
  const scopes = rule.includes(':') ? enough.map((scope) => [scope]) : [[]]
  const schemes = Object.keys(securitySchemes(settings))
  const acceptsKeyInBody = schemes.length > 1 && choose<unknown>(body, settings) !== null
  return [
    ...schemes.flatMap((scheme) => scopes.map((names) => ({ [scheme]: names }))),
    ...(acceptsKeyInBody ? [{}] : []),
  ]
}

function toParameters(
  parameters: Parameters,
  location: 'path' | 'query',
  settings: SettingValues,
  examples: OperationExample['params'] = {},
): object[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const resolved = choose(parameter, settings)
    const { description, required = location === 'path' } = resolved
    const schema =
      typeof resolved.schema === 'function' ? resolved.schema(settings) : resolved.schema
    const example = name in examples ? { example: examples[name] } : {}
    return schema === null
      ? []
      : [{ name, in: location, required, description, schema, ...example }]
  })
}

function errorsByStatus(
  endpoint: Endpoint,
  settings: SettingValues,
): Record<string, readonly FailureName[]> {
  const names = new Set([
    ...commonFailures(endpoint, settings),
    ...choose(endpoint.errors, settings),
  ])
  // By setting an insufficient key gets the response of a missing resource.
  if (names.has('permission_denied') && settings['keys.insufficient.status'] === '404') {
    names.add('not_found')
  }
  const groups: Record<string, FailureName[]> = {}
  for (const name of failureNames.filter((each) => names.has(each))) {
    const { status } = failureResponse(new Failure(name), settings)
    groups[status] = [...(groups[status] ?? []), name]
  }
  return groups
}

const failureNames = Object.keys(failureFormats) as FailureName[]

/** A response is named after its failures. */
function nameOf(failures: readonly FailureName[]): string {
  const toPascalCase = (name: string): string =>
    name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return failures.map(toPascalCase).join('Or')
}

function toErrorResponse(names: readonly FailureName[], settings: SettingValues): object {
  const content = choose(errorContent, settings)
  const responses = names.map((name) => {
    const failure = name === 'throttled' ? throttledFailure(12) : new Failure(name)
    const { headers, body } = failureResponse(failure, settings)
    return toExample(headers, bodyText(body))
  })
  const examples = Object.fromEntries(
    names.map((name, index) => [name, { value: responses[index]?.body }]),
  )
  return {
    description: names.join(', '),
    ...headersOf(Object.assign({}, ...responses.map(({ headers }) => headers))),
    ...(content && { content: withFields(content, { examples }) }),
  }
}

/** The body of an error. */
export const errorSchema: object = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: {
      type: 'string',
      enum: [...new Set(Object.values(failureFormats).map(({ type }) => type))],
    },
    code: { type: 'string' },
    detail: { type: 'string', description: 'The problem, in one sentence.' },
    attr: { type: ['string', 'null'], description: 'The invalid field, if there is one.' },
  },
  additionalProperties: false,
}

type Content = Readonly<Record<string, object>>

const jsonContent = (schema: object): Content => ({ 'application/json': { schema } })

const errorContent: PerSetting<Content | null> = perSetting('errors.body', {
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

function withFields(content: Content, fields: object): Content {
  return mapValues(content, (media) => ({ ...(media as object), ...fields }))
}

/** All headers but those that OpenAPI describes elsewhere, and those of every response. */
function headersOf(values: Readonly<Record<string, string>> = {}): object {
  const headers = Object.entries(values)
    .filter(([name]) => !['content-type', 'content-length'].includes(name))
    .map(([name, example]) => [name, { schema: { type: 'string' }, example }])
  return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }
}

/** The failures that endpoints do not declare, because they depend only on the path, the query and the key. */
function commonFailures(endpoint: Endpoint, settings: SettingValues): FailureName[] {
  const { path, query = {} } = endpoint
  const hasParent = path.includes('_id')
  const isPage = 'limit' in query && choose(query.limit, settings).schema !== null
  const isKeyInBody = settings['keys.places'] !== 'header'
  return [
    'not_acceptable',
    'not_authenticated',
    'authentication_failed',
    'permission_denied',
    'throttled',
    // Also of a format other than json.
    'not_found',
    'server_error',
    ...namesIf(isPage && settings['lists.limit.invalid'] === 'refused', 'validation_error'),
    // Every body is parsed where it can contain the key, and before the project or organization of the path is found.
    ...namesIf(hasParent || isKeyInBody, 'parse_error', 'unsupported_media_type'),
    ...namesIf(isKeyInBody, 'body_too_large'),
  ]
}

function namesIf(condition: boolean, ...names: FailureName[]): FailureName[] {
  return condition ? names : []
}
