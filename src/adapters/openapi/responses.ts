import type { Endpoint } from '../../http/endpoint.ts'
import { Failure, type FailureName, failureFormats, failureResponse } from '../../http/failures.ts'
import { bodyText } from '../../http/messages.ts'
import { byPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { mapValues } from '../../utils/json.ts'
import { isEmptyBody, toJsonSchema } from './json-schema.ts'

export interface ResponseExample {
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

export function toResponses(
  endpoint: Endpoint<never>,
  settings: PolicySettings,
  commonErrors: readonly FailureName[],
  errors: ErrorResponses,
  example?: ResponseExample,
): Record<string, object> {
  const status = String(resolveByPolicy(endpoint.status, settings))
  const failures = [...commonErrors, ...resolveByPolicy(endpoint.errors, settings)]
  // An operation that is always refused declares the status of an error.
  const { [status]: ownErrors, ...otherErrors } = groupByStatus(failures, settings)
  const content = ownErrors
    ? resolveByPolicy(errorContent, settings)
    : toContent(endpoint, settings)
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

function toContent(
  { mediaType = 'application/json', ...endpoint }: Endpoint<never>,
  settings: PolicySettings,
): Content | null {
  const response = resolveByPolicy(endpoint.response, settings)
  if (isEmptyBody(response)) return null
  return { [mediaType]: { schema: toJsonSchema(response, 'output', settings) } }
}

/** The error responses of a document. Each is written once, in `components`, and named after its failures. */
export class ErrorResponses {
  readonly components: Record<string, object> = {}
  readonly #toComponent: (names: readonly FailureName[]) => object

  constructor(
    settings: PolicySettings,
    toExample: (name: FailureName) => Failure = (name) => new Failure(name),
  ) {
    this.#toComponent = (names) => {
      const content = resolveByPolicy(errorContent, settings)
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
  settings: PolicySettings,
): FailuresByStatus {
  // By policy an insufficient key gets the response of a missing resource.
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

export const errorSchema: object = {
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

const errorContent = byPolicy('errors.body', {
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
