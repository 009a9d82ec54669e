import type { World } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  isChunked,
  type WrittenText,
} from '../../http/messages.ts'
import { queryString, requestTarget, withQuery } from '../../http/url.ts'
import { possibleValues, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { overridePolicies, type PolicyOverrides } from '../../policies/settings.ts'
import { toJsonText } from '../../utils/json.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import { maxId } from '../../world/world-format.ts'
import { parseRequestBody } from '../journal/render-parts.ts'
import type { RequestEvent, Respond } from '../pipeline.ts'
import { describePattern, matchingEndpoints } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import {
  bodyMutants,
  type FieldMutant,
  fieldMutants,
  newValue,
  type ReadPage,
} from './mutant-kinds.ts'
import { listFields, mapFields, type ResponseField } from './response-fields.ts'
import { type FaultRule, type MutantKind, type Mutation, mutantKinds, mutationOf } from './rule.ts'
import { WrittenFields } from './written-fields.ts'

/** The operations that create a row, and its list. */
const creatingOperations: Readonly<Record<string, 'annotations' | 'plugins' | undefined>> = {
  createAnnotation: 'annotations',
  createPlugin: 'plugins',
}

/** The list whose next id has to be large, if a mutation makes it so. */
export function listOfLargeId(
  { kind }: Mutation,
  { id }: Pick<Endpoint<World>, 'id'>,
): 'annotations' | 'plugins' | undefined {
  return kind === 'large_id' ? creatingOperations[id] : undefined
}

/** Near 2^53, with a million ids above it. Every number up to 2^53 is exact in JavaScript. */
const firstLargeId: number = maxId - 1_000_000

/** The path of the rows whose ids are shown as other ones: nothing but its own path refers to an annotation. */
const rowsWithOtherIds = '/api/projects/:project_id/annotations'

/** What is added to the ids of rows. Created rows get large ids of their own. */
const addedToIds: Partial<Record<MutantKind, number>> = {
  large_id: firstLargeId - 500_000_000_000_000,
  other_value: 1_000_000,
}

type MutatedEndpoint = Pick<Endpoint<World>, 'id' | 'path' | 'query'>

/** The number that a mutation adds to the ids that an operation shows and reads. 0 for none */
export function shiftOfIds(
  { kind, field = 'id' }: Mutation,
  { path }: Pick<Endpoint<World>, 'path'>,
): number {
  return field === 'id' && path.startsWith(rowsWithOtherIds) ? (addedToIds[kind] ?? 0) : 0
}

/** The kinds that change how a body is sent. */
const sentKinds: readonly MutantKind[] = ['charset', 'no_length']

/**
 * Lists the fields that a kind can change in a response of an operation. A kind that changes no single field, or a whole
 * row, has the empty path. Without a path, the kind changes nothing.
 */
export function mutablePaths(
  kind: MutantKind,
  endpoint: MutatedEndpoint,
  shape: JsonSchema,
): string[] {
  const { canChange } = fieldMutants[kind] ?? {}
  const hasIds = shiftOfIds({ kind }, endpoint) > 0
  if (canChange) {
    const paths = listFields(shape)
      .filter((field) => canChange(field))
      .map(({ path }) => path)
    return hasIds ? ['id', ...paths] : paths
  }
  if (kind === 'large_id') return hasIds || listOfLargeId({ kind }, endpoint) ? [''] : []
  const { canChange: canMutate, needsOffset } = bodyMutants[kind] ?? {}
  if (sentKinds.includes(kind)) return Object.keys(shape).length > 0 ? [''] : []
  const isOtherPage = needsOffset === true && endpoint.query?.offset === undefined
  return isOtherPage || canMutate?.(shape) === false ? [] : ['']
}

/**
 * Changes a body. Everything that the mutation does not name stays.
 *
 * @param url the absolute URL of the request
 * @param read reads further rows of a list
 */
export function mutateBody(
  body: unknown,
  { kind, field }: Mutation,
  shape: JsonSchema,
  url: string,
  written: WrittenFields = new WrittenFields(),
  read: ReadPage = () => body,
): unknown {
  const fieldMutant = fieldMutants[kind]
  if (!fieldMutant) return bodyMutants[kind]?.change(body, shape, url, read) ?? body
  // Without a field, each row gets one more field, but the objects in it do not.
  const path = field ?? (kind === 'extra_field' ? '' : undefined)
  const isMeant = (each: string): boolean =>
    path === undefined || each === path || (kind === 'other_value' && each.startsWith(`${path}.`))
  return mapFields(body, shape, (value, each, row) =>
    isMeant(each.path) ? changeField(fieldMutant, value, each, row, written) : value,
  )
}

/** Changes a field, unless a request wrote its value and the new one would mean something else. */
function changeField(
  { canChange, change, keepsMeaning }: FieldMutant,
  value: unknown,
  field: ResponseField,
  row: unknown,
  written: WrittenFields,
): unknown {
  if (!canChange(field)) return value
  const changed = change(value, field)
  if (changed === value || keepsMeaning?.(value, changed)) return changed
  return written.has(row, field.path) ? value : changed
}

/** The kinds that no response is exercised with: they only tell what a client rests on. */
const comparing: readonly MutantKind[] = ['other_value']

/** The kinds that change any response of an operation that they can change. */
const always: readonly MutantKind[] = ['large_id', 'slow', ...sentKinds]

/** Finds the mutations that would change a response. @param url the absolute URL of the request */
export function findMutations(
  body: unknown,
  endpoint: MutatedEndpoint,
  shape: JsonSchema,
  url: string,
  written: WrittenFields = new WrittenFields(),
): Mutation[] {
  const found = new Map<string, Mutation>()
  const kinds = (Object.entries(fieldMutants) as [MutantKind, FieldMutant][]).filter(
    ([kind]) => !comparing.includes(kind),
  )
  mapFields(body, shape, (value, field, row) => {
    for (const [kind, mutant] of kinds) {
      if (changeField(mutant, value, field, row, written) === value) continue
      const { path } = field
      found.set(`${kind} ${path}`, path === '' ? { kind } : { kind, field: path })
    }
    return value
  })
  const wholeKinds = Object.keys(bodyMutants) as MutantKind[]
  const changing = wholeKinds.filter(
    (kind) =>
      mutablePaths(kind, endpoint, shape).length > 0 &&
      mutateBody(body, { kind }, shape, url, written) !== body,
  )
  const others = always.filter((kind) => mutablePaths(kind, endpoint, shape).length > 0)
  return [...found.values(), ...[...changing, ...others].map((kind) => ({ kind }))]
}

/**
 * Runs the endpoint of a request, and changes its response. The journal gets the changed response.
 *
 * @returns the response, and whether it differs from the one of the endpoint
 */
export function respondMutated(
  mutation: Mutation,
  event: RequestEvent,
  next: Respond,
  sandbox: Sandbox,
): [response: ApiResponse, isChanged: boolean] {
  const { request } = event
  const { endpoint } = event.route
  const { tables, policyTracker, history, journal } = sandbox
  // A large id belongs to a row that exists, so that the client can use it in further requests.
  const list = listOfLargeId(mutation, endpoint)
  if (list) tables[list].nextId = Math.max(tables[list].nextId, firstLargeId)
  const shift = shiftOfIds(mutation, endpoint)
  if (shift > 0) event.route = withStoredId(event.route, shift)
  const own = ownValuePolicies(mutation, request)
  if (own) sandbox.settings = overridePolicies(policyTracker.untracked, own)
  const response = next(event)
  sandbox.policyTracker = policyTracker
  if (!isSuccessWithJson(response) || endpoint.method === 'OPTIONS') return [response, false]
  if (mutation.kind === 'charset') return [withCharset(response), true]
  if (mutation.kind === 'no_length') {
    return [{ ...response, body: withoutLength(response.body) }, true]
  }
  // Untracked, since only the fault depends on the policy.
  const shape = responseShape(endpoint, policyTracker.untracked)
  // A rule without an operation also matches those that it cannot change.
  if (mutablePaths(mutation.kind, endpoint, shape).length === 0) return [response, false]
  const text = bodyText(response.body)
  const body = JSON.parse(text)
  event.record.requestBody = request.body
  const records = [...journal.records, event.record]
  const written = new WrittenFields(history.writesSince(0), records)
  const read: ReadPage = (query) => {
    event.request = withQueryOf(request, query)
    const page = JSON.parse(bodyText(next(event).body))
    event.request = request
    return page
  }
  const mutated = mutateBody(body, mutation, shape, request.url, written, read)
  const shown = toJsonText(shift > 0 ? withShownIds(mutated, shape, shift) : mutated)
  const isChanged = list !== undefined || own !== null || bodyText(shown) !== text
  return [{ ...response, body: shown }, isChanged]
}

type Route = RequestEvent['route']

/** A client that uses a shown id means the row that has it. Ids of before are valid, too. */
function withStoredId(route: Route, shift: number): Route {
  const id = Number(route.params.id)
  const isShown = id > shift && id < firstLargeId
  return isShown ? { ...route, params: { ...route.params, id: String(id - shift) } } : route
}

function withShownIds(body: unknown, shape: JsonSchema, shift: number): unknown {
  return mapFields(body, shape, (value, { path }) =>
    path === 'id' && typeof value === 'number' && value < firstLargeId ? value + shift : value,
  )
}

function withQueryOf(request: ApiRequest, query: URLSearchParams): ApiRequest {
  const url = withQuery(request.url, query)
  const { method, headers, body } = request
  return { method, headers, body, url, target: requestTarget(url), query: queryString(url) }
}

function withCharset(response: ApiResponse): ApiResponse {
  const type = `${response.headers['content-type']}; charset=utf-8`
  return { ...response, headers: { ...response.headers, 'content-type': type } }
}

/** Sends a body in one chunk, so that no header says how long it is. */
function withoutLength(body: ApiResponse['body']): ChunkedText {
  const text = bodyText(body)
  return {
    text,
    isLengthHidden: true,
    async *[Symbol.asyncIterator]() {
      yield new TextEncoder().encode(text)
    },
  }
}

type ChunkedText = WrittenText & AsyncIterable<Uint8Array>

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
