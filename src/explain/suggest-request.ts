import { type ApiRoute, findRoute } from '../api/endpoints.ts'
import { findApiKey } from '../http/check.ts'
import { type Failure, type FailureName, notFound, toApiError } from '../http/failures.ts'
import { urlEncodedType } from '../http/input.ts'
import {
  type ApiResponse,
  bodyText,
  isOmitted,
  isSafeMethod,
  isSuccess,
  queryString,
} from '../http/messages.ts'
import { apiPath, sandboxPrefix, splitPath } from '../http/route.ts'
import { JournalRecord } from '../simulator/journal/journal.ts'
import { parseBodyText, parseRequestBody } from '../simulator/journal/messages.ts'
import type { State } from '../simulator/state.ts'
import { isDeeperThan, isObject, tryParseJson } from '../utils/json.ts'
import { parseQuery, writeQuery } from '../utils/query.ts'
import type { KeyRow, UserRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import { PastRequest } from './past-request.ts'

/** How far the corrections may lead: a request rarely has more mistakes. */
const maxCorrections = 12

/**
 * Finds the request nearest to a refused one that the service would have accepted in its place, and accepts now. Each
 * mistake is corrected in turn, and each attempt is answered in copies of the rows, so the result works. It keeps what was
 * meant: it leaves out no value, and names no row that the refused request does not name; one that writes names no other
 * project and organization than that of the row. Faults are left out.
 *
 * @returns null if no such request is known
 */
export function findAcceptedRequest(record: JournalRecord, state: State): PlainRequest | null {
  const send = createAttempts(record, state)
  const ids = splitPath(apiPath(record.target).split('?')[0] as string).map(withoutSuffix)
  let request = toPlainRequest(record)
  for (let corrected = 0; request && corrected <= maxCorrections; corrected++) {
    const failure = send(request)
    if (failure === null) return request
    const proposals = listCorrections(request, failure, state).filter(({ method, path }) => {
      const { id, ...parent } = findRoute({ method, target: path }, record.settings)?.params ?? {}
      const places = [ids[parentIndex], ownerOf(path, id, state)]
      const isInPlace = Object.values(parent).every((id) => places.includes(id))
      return (isSafeMethod(method) || isInPlace) && (id === undefined || ids.includes(id))
    })
    const isProgress = (proposal: PlainRequest) => {
      const next = send(proposal)
      return next === null || describeRefusal(next) !== describeRefusal(failure)
    }
    request =
      proposals.find((proposal) => send(proposal) === null) ?? proposals.find(isProgress) ?? null
  }
  return null
}

/** The place of the project or the organization in a path: `/api/projects/1/annotations/`. */
const parentIndex = 2

/** The project or the organization of a row. Undefined for no row */
function ownerOf(path: string, id: string | undefined, { tables }: State): string | undefined {
  const row = path.includes('/plugins/')
    ? tables.plugins.get(Number(id))?.organization
    : tables.annotations.get(Number(id))?.project
  return row === undefined ? undefined : `${row}`
}

function describeRefusal(failure: Failure) {
  return JSON.stringify([toApiError(failure), failure.details.reason?.()])
}

/**
 * Answers requests in copies of the current rows, and in copies of those at the time of a request, each only once.
 *
 * @returns a function that returns null for a request that is accepted
 */
function createAttempts(
  record: JournalRecord,
  state: State,
): (request: PlainRequest) => Failure | null {
  const failures = new Map<string, Failure | null>()
  return (request) => {
    const id = JSON.stringify(request)
    const cause = failures.get(id)
    if (cause !== undefined) return cause
    const tried = toRecord(request, record, state)
    // The rows of that time may no longer be known.
    const then = PastRequest.open(tried, state, record)
    const now = PastRequest.open(tried, state)
    const failure =
      (now && failureOf(now.answer())) ?? (then && failureOf(then.answer(record.settings)))
    failures.set(id, failure)
    return failure
  }
}

function failureOf({ status, failure }: Pick<ApiResponse, 'status' | 'failure'>): Failure | null {
  return isSuccess(status) ? null : (failure ?? notFound(() => 'no operation has the path', 'path'))
}

function toRecord(request: PlainRequest, like: JournalRecord, state: State) {
  const { method, prefix, path, query, key, body } = request
  const headers = new Headers({
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  })
  const target = `${prefix}${path}${query === '' ? '' : `?${query}`}`
  const { settings, changes } = state
  return JournalRecord.of({
    ...like,
    ...{ method, target, settings, requestHeaders: headers, changeIndex: changes.index },
    requestBody: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
    response: { status: 200, headers: {}, body: null },
  })
}

/** More levels than any field has. Texts of thousands of levels could not be written again. */
const maxLevels = 100

/** Converts a request. Returns null if its body cannot be read. */
function toPlainRequest(record: JournalRecord): PlainRequest | null {
  const { method, target, settings, requestHeaders: headers } = record
  const body = readBody(record)
  if (body === null || isDeeperThan(maxLevels, body.value)) return null
  const key = findApiKey({ headers, query: queryString(target) }, settings, () => body.value)
  const api = apiPath(target)
  const query = parseQuery(queryString(target))
  query.delete('personal_api_key')
  return {
    method,
    prefix: target.slice(0, target.length - api.length),
    path: api.split('?')[0] as string,
    query: writeQuery(query),
    key: key?.value ?? null,
    body: withoutKey(body.value),
    isForm: body.isForm === true,
  }
}

function withoutKey(body: unknown) {
  if (typeof body !== 'object' || body === null || !('personal_api_key' in body)) return body
  const { personal_api_key: _, ...others } = body
  return others
}

/** Reads a body: JSON, also with another content type, or a form. */
function readBody(
  record: JournalRecord,
): { readonly value: unknown; readonly isForm?: boolean } | null {
  const { requestBody, method } = record
  if (requestBody === null || ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)) {
    return { value: undefined }
  }
  if (isOmitted(requestBody)) return null
  const text = bodyText(requestBody)
  if (text === '') return { value: undefined }
  const readers = [
    () => parseBodyText(text, null),
    () => parseRequestBody(record),
    () => (/^[\w-]+=/.test(text) ? parseBodyText(text, urlEncodedType) : undefined),
  ]
  const values = readers.map((read) => read())
  const value = values.find((value) => value !== undefined)
  return value === undefined ? null : { value, isForm: values[0] === undefined }
}

/** A request without anything unusual: its key is in the header, and its body is JSON. */
export interface PlainRequest {
  readonly method: string
  /** What precedes the path of the API, such as the path of a sandbox */
  readonly prefix: string
  readonly path: string
  readonly query: string
  readonly key: string | null
  /** Undefined for no body */
  readonly body: unknown
  /** Whether the body was a form, in which more names are secret */
  readonly isForm: boolean
}

type Correct = (request: PlainRequest, state: State) => PlainRequest[]

/** Lists requests that may not have a failure, the likeliest first. Some of them may fail, too. */
function listCorrections(request: PlainRequest, failure: Failure, state: State) {
  const { instead, check } = failure.details
  if (instead) {
    const { method = request.method, fields } = instead
    return [withFields({ ...request, method }, fields)]
  }
  // In another case it means the same. For other paths, the journal names the nearest operations.
  if (check === 'path') return [{ ...request, path: request.path.toLowerCase() }]
  const correct = corrections[failure.name]
  return correct ? correct(request, state) : correctField(request, failure)
}

/** By the name of the failure. Anything else is about a field. */
const corrections: { readonly [Name in FailureName]?: Correct } = {
  not_authenticated: useOtherKey,
  authentication_failed: useOtherKey,
  permission_denied: (request, state) => [
    ...changeMethod(request, state),
    ...useOtherKey(request, state),
    ...changePath(request, state),
  ],
  method_not_allowed: changeMethod,
  not_found: (request, state) => [
    withoutParameters(request, ['format', 'search']),
    ...changePath(request, state),
  ],
  throttled: () => [],
  body_too_large: () => [],
  server_error: () => [],
}

/** Other keys are not tried: a world can have very many. */
const maxKeys = 50

/** The keys that the caller is likeliest to have: of the same user, and with few scopes. A list without one comes last. */
function useOtherKey(request: PlainRequest, state: State): PlainRequest[] {
  const { keys } = state.tables
  const user = keys.get(request.key ?? '')?.user
  // Without the URL of a sandbox, the key selects one.
  const isAtSandbox = request.prefix.includes(`${sandboxPrefix}/`)
  const rank = ({ user: owner, scopes }: KeyRow) =>
    (owner === user ? 0 : 1_000) +
    (scopes === null || scopes.includes('*') ? 100 : scopes.length || 150)
  return [...keys.values()]
    .filter(({ value }) => isAtSandbox || !state.isTakenElsewhere(value))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxKeys)
    .map(({ value }) => ({ ...request, key: value }))
}

/** Leaves out parameters, and a suffix such as `.xml`. */
function withoutParameters(request: PlainRequest, names: readonly string[]): PlainRequest {
  const query = parseQuery(request.query)
  for (const name of names) query.delete(name)
  return { ...request, path: withoutSuffix(request.path), query: writeQuery(query) }
}

/** @example withoutSuffix('/api/projects/1/annotations.xml/') // '/api/projects/1/annotations/' */
function withoutSuffix(path: string) {
  return path.replace(/\/?\.[a-z0-9]+(\/?)$/, '$1')
}

/** Another method becomes the one that is nearest to it. */
function changeMethod(request: PlainRequest, state: State): PlainRequest[] {
  const route = routeOf(request, state)
  if (route && (route.endpoint.operation !== null || request.method === 'OPTIONS')) return []
  const isKnown = (method: string): boolean | undefined =>
    route?.path.endpoints.some((endpoint) => endpoint.method === method)
  // A request without a body reads, unless the path has no GET. One with a body writes.
  return (request.body === undefined && isKnown('GET') ? ['GET'] : ['POST', 'PATCH'])
    .filter(isKnown)
    .map((method) => ({ ...request, method }))
}

/**
 * The same operation in a project or an organization that the key can see. A row that is not there is looked for in its
 * list: a correction never leads to another row.
 */
function changePath(request: PlainRequest, state: State): PlainRequest[] {
  const { tables } = state
  const route = routeOf(request, state)
  const user = tables.users.get(tables.keys.get(request.key ?? '')?.user ?? 0)
  if (!route || !user) return []
  const { params, endpoint } = route
  const parents =
    params.organization_id === undefined
      ? findProjects(user, tables.annotations.get(Number(params.id))?.project, tables)
      : user.organizations.map((organization_id) => ({ organization_id }))
  const isRow = endpoint.method === 'GET' && endpoint.path.endsWith('/:id')
  const list = endpoint.path.slice(0, -'/:id'.length)
  const patterns = isRow ? [endpoint.path, list] : [endpoint.path]
  return patterns.flatMap((pattern) =>
    parents.map((parent) => {
      const values: Readonly<Record<string, unknown>> = { ...params, ...parent }
      const path = pattern.replace(/:(\w+)/g, (_, name) => String(values[name]))
      return { ...request, path: `${path}/` }
    }),
  )
}

/** The projects of a user, the one with a row first. */
function findProjects({ organizations }: UserRow, owner: number | undefined, tables: Tables) {
  return [...tables.projects.values()]
    .filter((project) => organizations.includes(project.organization))
    .sort((a, b) => Number(b.id === owner) - Number(a.id === owner))
    .map(({ id }) => ({ project_id: id }))
}

/** Values for fields that are required. */
const examples = { name: 'Example', url: 'https://github.com/example/example' }

/** Replaces the value of a field by one that means the same, or leaves out a field that says nothing. */
function correctField(request: PlainRequest, failure: Failure): PlainRequest[] {
  const { body } = request
  const { attr, code, nearest } = failure.details
  if (attr === undefined) {
    const [first = {}] = Array.isArray(body) ? body : [tryParseJson(String(body))?.value ?? null]
    return isObject(body) || !isObject(first) ? [] : [{ ...request, body: first }]
  }
  if (!isObject(body) || !Object.hasOwn(body, attr)) {
    if (code === 'required') return [withFields(request, { [attr]: examples[attr as 'name'] })]
    return [withoutParameters(request, [attr])]
  }
  const { [attr]: value, ...others } = body
  if (isNothing(value)) return [{ ...request, body: others }]
  const values = nearest === undefined ? sameValues(value) : [nearest]
  return values.map((value) => withFields(request, { [attr]: value }))
}

function isNothing(value: unknown) {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return value === null || value === '' || isEmpty
}

/** Values that are written otherwise: in another case, as a text or not, a date with the name of its month. */
function sameValues(value: unknown): unknown[] {
  if (typeof value !== 'string') return typeof value === 'object' ? [] : [String(value)]
  const time = /[a-z]{3}/i.test(value) ? Date.parse(`${value} UTC`) : Number.NaN
  return [
    ...[value.toUpperCase(), value.toLowerCase(), tryParseJson(value)?.value],
    ...(Number.isNaN(time) ? [] : [new Date(time).toISOString()]),
  ].filter((same) => same !== undefined)
}

function withFields(request: PlainRequest, fields: object): PlainRequest {
  return { ...request, body: { ...(isObject(request.body) && request.body), ...fields } }
}

function routeOf({ method, path }: PlainRequest, state: State): ApiRoute | null {
  return findRoute({ method, target: path }, state.settings)
}
