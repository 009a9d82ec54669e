import type { Endpoint } from '../../http/endpoint.ts'
import { Failure, type FailureName, failureFormats, failureResponse } from '../../http/failures.ts'
import { byPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { isEmptyBody, toJsonSchema } from './json-schema.ts'

/** Every answer of an endpoint by its status: the one it is there for, and its refusals. */
export function toResponses(
  endpoint: Endpoint<never>,
  settings: PolicySettings,
  others: readonly FailureName[],
): Record<string, object> {
  const { summary, mediaType = 'application/json' } = endpoint
  const response = resolveByPolicy(endpoint.response, settings)
  const content = isEmptyBody(response)
    ? {}
    : { content: { [mediaType]: { schema: toJsonSchema(response, 'output', settings) } } }
  return {
    [resolveByPolicy(endpoint.status, settings)]: { description: summary, ...content },
    ...toErrorResponses([...others, ...resolveByPolicy(endpoint.errors, settings)], settings),
  }
}

/** By status, as several failures share one. */
function toErrorResponses(
  names: readonly FailureName[],
  settings: PolicySettings,
): Record<string, object> {
  const found = new Map<number, Set<FailureName>>()
  for (const name of names) {
    for (const status of errorStatuses(name, settings)) {
      found.set(status, (found.get(status) ?? new Set()).add(name))
    }
  }
  const content = resolveByPolicy(errorContent, settings)
  return Object.fromEntries(
    [...found].map(([status, codes]) => [
      status,
      { description: [...codes].join(', '), ...(content && { content }) },
    ]),
  )
}

/** By policy a key that may not do it gets another status than a caller who may not. */
function errorStatuses(name: FailureName, settings: PolicySettings): number[] {
  const plain = failureResponse(new Failure(name), settings).status
  if (name !== 'permission_denied') return [plain]
  return [
    plain,
    failureResponse(new Failure(name, undefined, { isKeyInsufficient: true }), settings).status,
  ]
}

/** The body of an error in its usual form. */
export const errorSchema: object = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: { enum: [...new Set(Object.values(failureFormats).map(({ type }) => type))] },
    code: { type: 'string' },
    detail: { type: 'string', description: 'What is wrong, in one sentence.' },
    attr: { type: ['string', 'null'], description: 'The field at fault, where it is one.' },
  },
  additionalProperties: false,
}

const jsonContent = (schema: object): object => ({ 'application/json': { schema } })

/** What errors are made of, by the policy `errors.body`. */
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
