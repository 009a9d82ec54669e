import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/shape.ts'
import { type ApiRequest, type ApiResponse, bodyText, isChunked } from '../../http/messages.ts'
import { possibleValues, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { overridePolicies, type PolicyOverrides } from '../../policies/settings.ts'
import { toJsonText } from '../../utils/json-text.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import type { RoutedRequest } from '../hooks.ts'
import { parseRequestBody } from '../journal/render-parts.ts'
import { describePattern, matchingEndpoints } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import { firstLargeId, listOfLargeId, mutablePaths, mutateBody, newValue } from './mutants.ts'
import { type FaultRule, type MutantKind, type Mutation, mutantKinds, mutationOf } from './rule.ts'
import { WrittenFields } from './written-fields.ts'

/** Runs the endpoint of a request, and changes its response. The journal gets the changed response. */
export function respondMutated(
  mutation: Mutation,
  { route: { endpoint }, request }: RoutedRequest,
  sandbox: Sandbox,
  runEndpoint: () => ApiResponse,
): ApiResponse {
  const { tables, policyTracker, history } = sandbox
  // A large id belongs to a row that exists, so that the client can use it in further requests.
  const list = listOfLargeId(mutation, endpoint)
  if (list) tables[list].nextId = firstLargeId
  const own = ownValuePolicies(mutation, request)
  if (own) sandbox.settings = overridePolicies(policyTracker.untracked, own)
  const response = runEndpoint()
  sandbox.policyTracker = policyTracker
  if (!isSuccessWithJson(response) || endpoint.method === 'OPTIONS') return response
  // Untracked, since only the fault depends on the policy.
  const shape = responseShape(endpoint, policyTracker.untracked)
  const body = JSON.parse(bodyText(response.body))
  const written = new WrittenFields(history.writesSince(0))
  return { ...response, body: toJsonText(mutateBody(body, mutation, shape, request.url, written)) }
}

/** The policies of the values that a new value can have. */
const valuePolicies: Readonly<Record<string, PolicyId>> = {
  scope: 'annotations.scope.values',
  creation_type: 'annotations.creation_type.values',
  plugin_type: 'plugins.plugin_type.values',
}

/** A service accepts what it returns. So a request that sends a changed value back is not refused for it. */
function ownValuePolicies({ kind, field }: Mutation, request: ApiRequest): PolicyOverrides | null {
  if (kind !== 'null' && kind !== 'new_value') return null
  const { body: requestBody, headers: requestHeaders } = request
  const sent = Object.entries(Object(parseRequestBody({ requestBody, requestHeaders })))
  const own = sent.filter(
    ([name, value]) => (field ?? name) === name && value === (kind === 'null' ? null : newValue),
  )
  const settings = own.flatMap(([name]): [string, string][] => {
    if (kind === 'null') return [['fields.nullable', 'observed']]
    return Object.hasOwn(valuePolicies, name) ? [[valuePolicies[name] as string, 'any']] : []
  })
  return settings.length === 0 ? null : Object.fromEntries(settings)
}

/** Whether a response can be mutated. */
export function isSuccessWithJson({ status, headers, body }: ApiResponse): boolean {
  const isText = !isChunked(body) && bodyText(body) !== ''
  const isJson = headers['content-type'] === 'application/json' && isText
  return status >= 200 && status < 300 && isJson
}

/** The shape of a response under the current policies. */
export function responseShape(
  { response }: Pick<Endpoint<never>, 'response'>,
  settings: PolicySettings,
): JsonSchema {
  return resolveByPolicy(response, settings) as JsonSchema
}

/** Finds a mutation that cannot change any response of the operations that the rule names. */
export function findMutationIssue(
  rule: FaultRule,
): readonly [path: string, message: string, meant?: string | undefined] | null {
  const mutation = mutationOf(rule.effect)
  const endpoints = matchingEndpoints(rule)
  if (!mutation || endpoints.length === 0) return null
  const pathsOf = (kind: MutantKind) =>
    endpoints.flatMap((endpoint) =>
      possibleValues(endpoint.response).flatMap((shape) =>
        mutablePaths(kind, endpoint, shape as JsonSchema),
      ),
    )
  const { kind, field } = mutation
  const isShort = rule.effect.mutate === kind
  const paths = pathsOf(kind)
  if (paths.length === 0) {
    const kinds = Object.keys(mutantKinds) as MutantKind[]
    const possible = kinds.filter((each) => pathsOf(each).length > 0).join(', ')
    const message = `expected a kind that can change a response of ${describePattern(rule)}: ${possible}`
    return [isShort ? 'effect.mutate' : 'effect.mutate.kind', message]
  }
  if (field === undefined || paths.includes(field)) return null
  const fields = [...new Set(paths)].filter((path) => path !== '')
  if (fields.length === 0) return ['effect.mutate.field', `expected no field with ${kind}`]
  const message = `expected a field of ${describePattern(rule)} that ${kind} can change: ${fields.join(', ')}`
  return ['effect.mutate.field', message, didYouMean(field, fields)]
}

/** Explains why a mutation can change no response under the current policies. Returns null if it can change one. */
export function unmutableReason(rule: FaultRule, settings: PolicySettings): string | null {
  const mutation = mutationOf(rule.effect)
  const endpoints = matchingEndpoints(rule)
  if (!mutation || endpoints.length === 0) return null
  const { kind, field } = mutation
  const isMutable = endpoints.some((endpoint) => {
    const paths = mutablePaths(kind, endpoint, responseShape(endpoint, settings))
    return field === undefined ? paths.length > 0 : paths.includes(field)
  })
  return isMutable ? null : `under the current policies, ${kind} changes no response of it.`
}
