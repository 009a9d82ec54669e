import { choose, type SettingValues } from '../settings/setting.ts'
import { LimitError } from '../utils/errors.ts'
import { JsonText, toJsonText } from '../utils/json.ts'
import { parseUuid } from '../utils/python.ts'
import { parseQuery } from '../utils/query.ts'
import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import {
  type ApiCaller,
  type Call,
  isEndpointEnabled,
  type Method,
  type PathItem,
  type PathParams,
  type ScopeRule,
  type SentApiKey,
} from './endpoint.ts'
import { Failure, type FailureDetails, noRoom, notFound, quote } from './failures.ts'
import { describeMissingKey, describeScopes, describeUnknownKey, nameKey } from './key-reasons.ts'
import {
  type ApiRequest,
  type ApiResponse,
  failureResponse,
  isOmitted,
  jsonResponse,
  parseInteger,
} from './messages.ts'
import { throttledFailure } from './throttle.ts'
import { JsonPage } from './written-rows.ts'

/**
 * Checks a request, and answers it by its endpoint, for every transport. Only faults and unknown paths have responses without
 * it. The checks run in the order of the service's source: Accept header, key, scope, syntax of the body, project or
 * organization, membership, rate limit, method, row, fields. It never throws: failures and unexpected errors become
 * responses. Afterwards the call knows what was read.
 */
export function answerCall(call: Call): ApiResponse {
  try {
    negotiate(call.request, call.params)
    authorize(call)
    if (call.world.isFull && writeMethods.includes(call.endpoint.method)) throw noRoom()
    const result = call.endpoint.run(call)
    const response = toApiResponse(choose(call.endpoint.status, call.settings), result)
    return withAllowHeader(response, call)
  } catch (error) {
    return refuse(toFailure(error, call.world), call)
  }
}

export function refuse(failure: Failure, call: Call): ApiResponse {
  return withAllowHeader(failureResponse(failure, call.settings), call)
}

function toApiResponse(status: number, result: unknown) {
  if (result === undefined) return { status, headers: {}, body: null }
  if (result instanceof JsonPage) return jsonResponse(status, result.body, undefined, result.shown)
  const text = result instanceof JsonText ? result : toJsonText(result)
  return jsonResponse(status, text, text.headers)
}

function toFailure(error: unknown, { onError }: Pick<Call['world'], 'onError'>) {
  if (error instanceof Failure) return error
  if (error instanceof LimitError) return new Failure('validation_error', error.message)
  onError(error)
  const reason = () => 'an unexpected exception was thrown, and passed to onError'
  return new Failure('server_error', undefined, { reason })
}

const writeMethods: readonly string[] = ['POST', 'PUT', 'PATCH']

function withAllowHeader(response: ApiResponse, call: Call) {
  const { endpoint, path, settings } = call
  const isRequired = response.status === 405 || endpoint.method === 'OPTIONS'
  if (!isRequired && settings['headers.allow'] === 'on_405') return response
  const allow = allowHeader(path.endpoints, settings)
  return { ...response, headers: { ...response.headers, allow } }
}

/** The order in which the live service lists methods. */
const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Returns the header `Allow`: all methods of a path, or, by the setting `headers.allow`, only those that can succeed. */
function allowHeader(endpoints: PathItem['endpoints'], settings: SettingValues) {
  const includeFailing = settings['headers.allow'] === 'every_answer'
  const methods = methodOrder.filter((method) =>
    endpoints.some(
      (endpoint) =>
        endpoint.method === method &&
        isEndpointEnabled(endpoint, settings) &&
        (includeFailing || choose(endpoint.status, settings) < 400),
    ),
  )
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/**
 * Checks that the client accepts JSON.
 *
 * @throws Failure `not_acceptable` for the Accept header; `not_found` for a suffix or `?format=` that is not json
 */
export function negotiate(
  { headers, query }: Pick<ApiRequest, 'headers' | 'query'>,
  params: PathParams,
): void {
  const accept = headers.get('accept')
  if (accept !== null && accept !== '*/*' && !acceptsJson(accept))
    throw new Failure('not_acceptable', undefined, {
      reason: () => `the Accept header ${quote(accept)} does not allow application/json`,
    })
  const format = params.format ?? formatIn(query)
  if (!format || format === 'json') return
  throw notFound(() => `the format ${quote(format)} is not supported, only json`, 'accept')
}

/** Whether the client accepts JSON. Every response has to be acceptable, an injected error, too. */
export function isAcceptable({ request, params }: Call): boolean {
  try {
    negotiate(request, params)
    return true
  } catch {
    return false
  }
}

function formatIn(query: string): string | undefined {
  // A name can be percent-encoded.
  if (!/format|%/i.test(query)) return undefined
  return parseQuery(query).getAll('format').at(-1)
}

function acceptsJson(accept: string) {
  return accept
    .split(',')
    .some((range) => jsonRanges.includes((range.split(';')[0] ?? '').trim().toLowerCase()))
}

const jsonRanges: readonly string[] = ['*/*', 'application/json', 'application/*']

/**
 * Authorizes a request by its API key. As the service's source has it: the checks run in the order key, restriction of the
 * key, scope, body, project or organization of the path, membership, a permission that the endpoints of the path share,
 * rate limit. A restricted key needs the project or organization first, so its body is parsed and its parent found first.
 *
 * @throws Failure for the first check that fails
 */
function authorize(call: Call) {
  const { endpoint, params, request, settings } = call
  const caller = authenticate(call)
  const { key, user } = caller
  const scope = choose(endpoint.scope, settings)
  const isRefused = !isAllowed(key, scope, settings)
  if (isRefused && scope === 'refused') {
    const { otherMethods } = endpoint
    throw insufficientKey('This action does not support Personal API Key access', {
      check: otherMethods ? 'method' : 'scope',
      reason: () =>
        otherMethods
          ? `${request.method} does not work here; ${otherMethods(settings)} do (this key gets a 403 for it)`
          : `only keys that need no scopes are accepted, and ${nameKey(key)} ${describeScopes(key)}`,
    })
  }
  const isRestricted = key.projects.length > 0 || key.organizations.length > 0
  if (isRestricted) findWithinRestriction(call, caller)
  if (isRefused) {
    throw insufficientKey(`API key missing required scope '${scope}'`, {
      reason: () => `${nameKey(key)} lacks the scope ${scope} (it ${describeScopes(key)})`,
    })
  }
  if (!isRestricted) findParent(call, user)
  const { project, organization } = call
  const isMember = !organization || user.organizations.includes(organization.id)
  const isPublic = !project && endpoint.isOpenToAll?.(params, call) === true
  if (!isMember && !isPublic) {
    const detail = project && "You don't have access to the project."
    const ofProject = project ? ` of project ${params.project_id}` : ''
    throw insufficientKey(detail, {
      check: 'membership',
      reason: () => `the user of ${nameKey(key)} is not a member of the organization${ofProject}`,
    })
  }
  if (organization) endpoint.checkPermission?.({ organization, method: request.method }, call)
  const seconds = settings['limits.rate'] === 'off' ? 0 : call.world.throttle(key.value)
  if (seconds > 0) throw throttledFailure(seconds, key)
  call.caller = caller
}

/**
 * Finds the project or organization of a path. As the service's source has it: it parses the body before, whatever the method.
 * A body beyond the limit has no bytes to parse.
 */
function findParent(call: Call, user: UserRow) {
  const { settings, tables } = call
  const { project_id, organization_id } = call.params
  if (project_id === undefined && organization_id === undefined) return
  if (!isOmitted(call.request.body)) void call.body
  if (organization_id !== undefined) {
    call.organization = findOrganization(organization_id, user, call)
    if (call.organization) return
    throw parentNotFound('organization', organization_id, settings)
  }
  call.project = findProject(project_id as string, user, call)
  call.organization = call.project && tables.organizations.get(call.project.organization)
  if (call.organization) return
  throw parentNotFound('project', project_id as string, settings)
}

function parentNotFound(kind: 'project' | 'organization', text: string, settings: SettingValues) {
  const [parse, form] =
    kind === 'project'
      ? [parseInteger, 'a project, which is a number']
      : [parseUuid, 'an organization, which is a UUID']
  const reason = () => {
    if (isCurrent(text, settings)) return `the user of the key has no ${kind}`
    const isId = parse(text) !== undefined
    return isId ? `no ${kind} ${text}` : `${quote(text)} is not the id of ${form}`
  }
  const detail = kind === 'project' ? 'Project not found.' : 'Organization not found.'
  return notFound(reason, 'parent', detail)
}

/** The project that the user chose, else the first project of the first organization that has one. */
export function currentProject(user: UserRow, { projects }: Tables): ProjectRow | undefined {
  if (user.current_project !== null) return projects.get(user.current_project)
  const all = [...projects.values()]
  for (const organization of user.organizations) {
    const first = all.find((project) => project.organization === organization)
    if (first) return first
  }
  return undefined
}

function findProject(
  text: string,
  user: UserRow,
  { settings, tables }: Call,
): ProjectRow | undefined {
  if (isCurrent(text, settings)) return currentProject(user, tables)
  const id = parseInteger(text)
  return id === undefined ? undefined : tables.projects.get(id)
}

function findOrganization(
  text: string,
  user: UserRow,
  { settings, tables }: Call,
): OrganizationRow | undefined {
  const id = isCurrent(text, settings)
    ? (currentProject(user, tables)?.organization ?? user.organizations[0])
    : parseUuid(text)
  return id === undefined ? undefined : tables.organizations.get(id)
}

/** Finds the project or organization of a path, which has to be one of those that the key is limited to. */
function findWithinRestriction(call: Call, { key, user }: ApiCaller) {
  const { projects, organizations } = key
  const { project_id } = call.params
  const restricted = (detail: string) => {
    const reason = () => {
      const names = organizations.map((id) => call.tables.organizations.get(id)?.name ?? id)
      const limits = [
        ...projects.map((id) => `project ${id}`),
        ...names.map((name) => `organization ${name}`),
      ]
      const hasNoProject = projects.length > 0 && project_id === undefined
      const hint = hasNoProject ? ', and this path has no project' : ''
      return `${nameKey(key)} is limited to ${limits.join(', ')}${hint}`
    }
    return insufficientKey(detail, { reason })
  }
  if (projects.length > 0 && project_id === undefined) {
    throw restricted('API keys with scoped projects are only supported on project-based endpoints.')
  }
  findParent(call, user)
  const { project, organization } = call
  const notAccessible = (kind: string, id: number | string) =>
    restricted(`API key does not have access to the requested ${kind}: ID ${id}.`)
  if (project && projects.length > 0 && !projects.includes(project.id)) {
    throw notAccessible('project', project.id)
  }
  if (organization && organizations.length > 0 && !organizations.includes(organization.id)) {
    throw notAccessible('organization', organization.id)
  }
}

function isCurrent(text: string, settings: SettingValues) {
  return text === '@current' && settings['paths.current'] === 'on'
}

/** Authenticates a request by its API key. If it has several keys, only the first one is tried. */
function authenticate(call: Call): ApiCaller {
  const { request, settings, tables } = call
  const sentKey = findApiKey(request, settings, () => call.body.value)
  call.sentKey = sentKey
  if (!sentKey) {
    const reason = () => describeMissingKey(request, tables, keyFieldName)
    throw new Failure('not_authenticated', undefined, { reason })
  }
  const key = tables.keys.get(sentKey.value)
  const user = key && tables.users.get(key.user)
  if (key && user?.is_active) return { key, user }
  const detail = `Personal API key found in request ${sentKey.location} is invalid.`
  const reason = () =>
    key ? `the user of ${nameKey(key)} is inactive` : describeUnknownKey(sentKey, call.world)
  throw new Failure('authentication_failed', detail, { reason })
}

/**
 * Finds the API key of a request: in the header, and if the setting `keys.places` allows it, in the body, then in the
 * query.
 *
 * @param getBody returns the parsed body; called only if a body may hold a key and the header has none
 */
export function findApiKey(
  { headers, query }: Pick<ApiRequest, 'headers' | 'query'>,
  settings: SettingValues,
  getBody: () => unknown,
): SentApiKey | null {
  const headerKey = keyInHeader(headers.get('authorization'))
  if (headerKey || settings['keys.places'] === 'header') return headerKey
  return keyInBody(getBody()) ?? keyInQuery(query)
}

export function isAllowed(
  key: Pick<KeyRow, 'scopes'>,
  rule: ScopeRule,
  settings: SettingValues,
): boolean {
  if (isUnscopedKey(key, settings) || rule === 'any_key') return true
  const scopes = rule === 'refused' ? [] : (key.scopes ?? [])
  if (scopes.includes('*') || scopes.includes(rule)) return true
  const isImplied = rule.endsWith(':read') && settings['keys.write_implies_read'] === 'yes'
  return isImplied && scopes.includes(rule.replace('read', 'write'))
}

function insufficientKey(detail: string | undefined, details: FailureDetails) {
  return new Failure('permission_denied', detail, { isKeyInsufficient: true, ...details })
}

/** Whether a key has all permissions: it was issued before scopes existed, or by a setting its list of them is empty. */
function isUnscopedKey({ scopes }: Pick<KeyRow, 'scopes'>, settings: SettingValues) {
  if (scopes === null) return true
  return scopes.length === 0 && settings['keys.empty_scopes'] === 'everything'
}

export const keyFieldName = 'personal_api_key'

/** Parses exactly `Bearer`, white space, and a key of at least two characters. Any other value contains no key. */
export function keyInHeader(authorization: string | null | undefined): SentApiKey | null {
  const value = /^Bearer\s+(\S.+)$/.exec(authorization?.trim() ?? '')?.[1]
  return value === undefined ? null : { value, location: 'Authorization header' }
}

/** As the service's source has it: in a body or a query, an empty text counts as a key, too. */
export function keyInBody(body: unknown): SentApiKey | null {
  const value = (body as { [keyFieldName]?: unknown } | null | undefined)?.[keyFieldName]
  return typeof value === 'string' ? { value, location: 'body' } : null
}

/** @param query the part of the URL after `?` */
export function keyInQuery(query: string): SentApiKey | null {
  const value = parseQuery(query).getAll(keyFieldName).at(-1)
  return value === undefined ? null : { value, location: 'query string' }
}
