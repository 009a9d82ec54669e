import type { World } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { type ApiRequest, type ApiResponse, bodyText, isChunked } from '../../http/messages.ts'
import { queryString, withQuery } from '../../http/url.ts'
import { possibleValues, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { overridePolicies, type PolicyOverrides } from '../../policies/settings.ts'
import { isObject, toJsonText } from '../../utils/json.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import { annotation } from '../../world/entities/annotation.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { maxId } from '../../world/world-format.ts'
import type { RowChange } from '../history/history.ts'
import { parseRequestBody } from '../journal/render-parts.ts'
import type { RequestEvent, Respond } from '../pipeline.ts'
import { describePattern, matchingEndpoints } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import {
  isPage,
  isRecord,
  isTime,
  listFields,
  mapFields,
  type ResponseField,
  rowShapeOf,
} from './response-fields.ts'
import { type FaultRule, type MutantKind, type Mutation, mutantKinds, mutationOf } from './rule.ts'

/** Changes fields. A change that has no effect returns the same value. */
interface FieldMutant {
  readonly canChange: (field: ResponseField) => boolean
  readonly change: (value: unknown, field: ResponseField) => unknown
}

/** Changes a body as a whole. */
interface BodyMutant {
  readonly canChange: (shape: JsonSchema) => boolean
  /** @param url the absolute URL of the request */
  readonly change: (body: unknown, shape: JsonSchema, url: string) => unknown
}

/** Fields of a fixed set of values that the documentation does not show. */
const openSets: readonly string[] = ['plugin_type', 'creation_type', 'scope']

/** The value that the documentation does not show. */
export const newValue = 'new_value'

/** Fields that people write, with the longest text that the service stores, or a long one if it is unlimited. */
const freeTexts: Readonly<Record<string, number>> = {
  content: annotation.fields.content.max ?? 0,
  name: plugin.fields.name.max ?? 0,
  ...{ description: 1_000, insight_name: 400, organization_name: 1_000 },
  ...{ first_name: 150, last_name: 150 },
}

const isFreeText = ({ name }: ResponseField) => Object.hasOwn(freeTexts, name)

const fieldMutants: Partial<Record<MutantKind, FieldMutant>> = {
  null: { canChange: canBeNull, change: () => null },
  new_value: {
    canChange: ({ name }) => openSets.includes(name),
    change: () => newValue,
  },
  extra_field: {
    canChange: isRecord,
    change: (value) => (isObject(value) ? { ...value, added_field: 'added' } : value),
  },
  long_text: {
    canChange: isFreeText,
    change: replaceText(({ name }) => 'A very long text. '.repeat(60).slice(0, freeTexts[name])),
  },
  right_to_left: {
    canChange: isFreeText,
    change: replaceText(() => 'نص من اليمين إلى اليسار (טקסט, 1.0)'),
  },
  milliseconds: { canChange: isTime, change: withFraction((digits) => `.${digits.slice(0, 3)}`) },
  seconds: { canChange: isTime, change: withFraction(() => '') },
}

/** Marks the requests that followed a mutated link. The service ignores unknown parameters, and its links keep them. */
const marker = 'cursor'

const bodyMutants: Partial<Record<MutantKind, BodyMutant>> = {
  empty_page: {
    canChange: isPage,
    change(body, _shape, url) {
      const query = new URLSearchParams(queryString(url))
      if (!isObject(body) || query.has(marker)) return body
      if (!Array.isArray(body.results) || body.results.length === 0) return body
      query.set(marker, '1')
      return { ...body, next: withQuery(url, query), results: [] }
    },
  },
  next_parameters: {
    canChange: isPage,
    change(body) {
      if (!isObject(body) || typeof body.next !== 'string') return body
      const query = new URLSearchParams(queryString(body.next))
      query.set(marker, '1')
      // The last value of a repeated parameter counts, so its values keep their order.
      const pairs = [...query].sort(([one], [other]) => (one < other ? 1 : one > other ? -1 : 0))
      return { ...body, next: body.next.replace(/\?.*/s, `?${new URLSearchParams(pairs)}`) }
    },
  },
  key_order: {
    canChange: (shape) => rowShapeOf(shape) !== undefined,
    change(body, shape) {
      const reversed = mapFields(body, shape, (value, field) =>
        isRecord(field) ? reverseFields(value) : value,
      )
      return isPage(shape) ? reverseFields(reversed) : reversed
    },
  },
}

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
export const firstLargeId: number = maxId - 1_000_000

/**
 * Lists the fields that a kind can change in a response of an operation. A kind that changes no single field, or a whole
 * row, has the empty path. Without a path, the kind changes nothing.
 */
export function mutablePaths(
  kind: MutantKind,
  endpoint: Pick<Endpoint<World>, 'id'>,
  shape: JsonSchema,
): string[] {
  const { canChange } = fieldMutants[kind] ?? {}
  if (canChange) {
    return listFields(shape)
      .filter((field) => canChange(field))
      .map(({ path }) => path)
  }
  if (kind === 'large_id') return listOfLargeId({ kind }, endpoint) ? [''] : []
  const canMutate = bodyMutants[kind]?.canChange
  return canMutate?.(shape) === false ? [] : ['']
}

/** Changes a body. Everything that the mutation does not name stays. @param url the absolute URL of the request */
export function mutateBody(
  body: unknown,
  { kind, field }: Mutation,
  shape: JsonSchema,
  url: string,
  written: WrittenFields = new WrittenFields(),
): unknown {
  const fieldMutant = fieldMutants[kind]
  if (!fieldMutant) return bodyMutants[kind]?.change(body, shape, url) ?? body
  const isOwn = written.test(kind)
  // Without a field, each row gets one more field, but the objects in it do not.
  const path = field ?? (kind === 'extra_field' ? '' : undefined)
  return mapFields(body, shape, (value, each, row) =>
    (path ?? each.path) === each.path && fieldMutant.canChange(each) && !isOwn(row, each)
      ? fieldMutant.change(value, each)
      : value,
  )
}

/** Finds the mutations that would change a body. @param url the absolute URL of the request */
export function findMutations(
  body: unknown,
  shape: JsonSchema,
  url: string,
  written: WrittenFields = new WrittenFields(),
): Mutation[] {
  const found = new Map<string, Mutation>()
  const kinds = Object.entries(fieldMutants) as [MutantKind, FieldMutant][]
  const tests = kinds.map(([kind, mutant]) => ({ kind, ...mutant, isOwn: written.test(kind) }))
  mapFields(body, shape, (value, field, row) => {
    for (const { kind, canChange, change, isOwn } of tests) {
      if (!canChange(field) || change(value, field) === value || isOwn(row, field)) continue
      const { path } = field
      found.set(`${kind} ${path}`, path === '' ? { kind } : { kind, field: path })
    }
    return value
  })
  const wholeKinds = Object.keys(bodyMutants) as MutantKind[]
  const changing = wholeKinds.filter(
    (kind) =>
      bodyMutants[kind]?.canChange(shape) &&
      mutateBody(body, { kind }, shape, url, written) !== body,
  )
  return [...found.values(), ...changing.map((kind) => ({ kind }))]
}

/** The documentation says of structured values that they may be null. They can have any JSON value. */
function canBeNull({ schema }: ResponseField): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly JsonSchema[] }
  if (Array.isArray(type)) return type.includes('null')
  return anyOf ? anyOf.some((each) => each.type === 'null') : Object.keys(schema).length === 0
}

function replaceText(text: (field: ResponseField) => string): FieldMutant['change'] {
  return (value, field) => (typeof value === 'string' ? text(field) : value)
}

/** Replaces the fraction of the seconds of a time. @param change gets at least three digits */
function withFraction(change: (digits: string) => string): FieldMutant['change'] {
  return (value) => {
    if (typeof value !== 'string') return value
    return value.replace(
      /(:\d\d)(?:\.(\d+))?Z$/,
      (_, seconds: string, digits = '') => `${seconds}${change(digits.padEnd(3, '0'))}Z`,
    )
  }
}

function reverseFields(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value
}

type Row = Readonly<Record<string, unknown>>

/** No service returns another text, or null, in place of what a client has just written. */
const sparing: readonly MutantKind[] = ['null', 'long_text', 'right_to_left']

/** The fields that requests wrote, which some mutants spare. */
export class WrittenFields {
  /** By the id of the row. Rows of different lists can have the same id. Their values differ. */
  readonly #changes = new Map<unknown, RowChange[]>()

  constructor(changes: readonly RowChange[] = []) {
    this.add(changes)
  }

  add(changes: readonly RowChange[]): void {
    for (const change of changes) {
      const { id } = (change.after ?? {}) as Row
      if (!('entry' in change.cause)) continue
      const known = this.#changes.get(id)
      if (known) known.push(change)
      else this.#changes.set(id, [change])
    }
  }

  /** @returns a function that tells whether a kind has to spare a field: a request wrote the value that it has */
  test(kind: MutantKind): (row: unknown, field: ResponseField) => boolean {
    if (!sparing.includes(kind)) return () => false
    return (row, { path }) => {
      const { id, [path]: value } = Object(row) as Row
      const changes = this.#changes.get(id) ?? []
      return changes.some(({ before, after }) => {
        const [old, written] = [before, after].map((each) => (each as Row | undefined)?.[path])
        return old !== written && JSON.stringify(written) === JSON.stringify(value)
      })
    }
  }
}

/** Runs the endpoint of a request, and changes its response. The journal gets the changed response. */
export function respondMutated(
  mutation: Mutation,
  event: RequestEvent,
  next: Respond,
  sandbox: Sandbox,
): ApiResponse {
  const { route, request } = event
  const { endpoint } = route
  const { tables, policyTracker, history } = sandbox
  // A large id belongs to a row that exists, so that the client can use it in further requests.
  const list = listOfLargeId(mutation, endpoint)
  if (list) tables[list].nextId = firstLargeId
  const own = ownValuePolicies(mutation, request)
  if (own) sandbox.settings = overridePolicies(policyTracker.untracked, own)
  const response = next(event)
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
