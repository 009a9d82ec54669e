import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { integerDigits, parseInteger } from '../utils/python/text.ts'
import { keyFieldName } from '../utils/redaction/secrets.ts'
import type { KeyRow, OrganizationRow, ProjectRow } from '../world/rows.ts'
import type { AccountDirectory } from '../world/table/lists.ts'
import type { ApiCaller, Endpoint, EndpointContext, ScopeRule } from './endpoint.ts'
import { Failure } from './failures.ts'
import type { ApiRequest } from './messages.ts'
import { throttledFailure } from './throttle.ts'
import type { PathParams } from './url.ts'

/** Checks who may send a request. The control API has a function of its own, which needs no API key. */
export type Authorize<W> = (
  endpoint: Endpoint<W>,
  params: PathParams,
  request: ApiRequest,
  context: EndpointContext<W>,
  getBody: () => unknown,
) => ProjectContext & { readonly caller?: ApiCaller }

/**
 * Authorizes a request by its API key. Checks the key, its scope, the project or organization of the path, a permission
 * that the endpoints of the path share, and the rate limit, in this order.
 *
 * @param getBody returns the parsed body, in which a key can be
 * @throws Failure for the first check that fails
 */
export function authorizeByKey<W>(
  endpoint: Endpoint<W>,
  params: PathParams,
  request: Pick<ApiRequest, 'method' | 'headers' | 'query'>,
  context: EndpointContext<W>,
  getBody: () => unknown,
): ProjectContext & { caller: ApiCaller } {
  const { settings, directory, world } = context
  const caller = authenticate(request, settings, directory, getBody)
  requireScope(caller.key, resolveByPolicy(endpoint.scope, settings), settings)
  const resolved = resolveProjectContext(params, caller, settings, directory)
  const { organization } = resolved
  if (organization) endpoint.checkPermission?.({ organization, method: request.method }, world)
  const seconds = context.throttle(caller.key.value)
  if (seconds > 0) throw throttledFailure(seconds)
  return { caller, ...resolved }
}

/** The project of a path and its organization, the organization of a path, or neither. */
export interface ProjectContext {
  readonly project?: ProjectRow
  readonly organization?: OrganizationRow
}

/** Checks in the order of the live service: the restriction of the key, the row, the membership of the user. */
function resolveProjectContext(
  params: PathParams,
  caller: ApiCaller,
  settings: PolicySettings,
  directory: AccountDirectory,
): ProjectContext {
  if (params.project_id !== undefined) {
    return resolveProject(params.project_id, caller, settings, directory)
  }
  if (caller.key.projects.length > 0) {
    throw insufficientKey(
      'API keys with scoped projects are only supported on project-based endpoints.',
    )
  }
  if (params.organization_id === undefined) return {}
  return resolveOrganization(params.organization_id, caller, settings, directory)
}

function resolveProject(
  text: string,
  { key, user }: ApiCaller,
  settings: PolicySettings,
  directory: AccountDirectory,
): ProjectContext {
  const id = isCurrent(text, settings)
    ? directory.currentProject(user)?.id
    : parseProjectId(text, settings)
  if (id !== undefined && key.projects.length > 0 && !key.projects.includes(id)) {
    const digits = Number.isSafeInteger(id) ? id : integerDigits(text)
    throw insufficientKey(`API key does not have access to the requested project: ID ${digits}.`)
  }
  const project = id === undefined ? undefined : directory.project(id)
  if (!project) throw new Failure('not_found', 'Project not found.')
  requireOrganizationAccess(key.organizations, project.organization)
  const organization = directory.organization(project.organization)
  if (!organization || !user.organizations.includes(organization.id)) {
    throw insufficientKey("You don't have access to the project.")
  }
  return { project, organization }
}

function resolveOrganization(
  text: string,
  { key, user }: ApiCaller,
  settings: PolicySettings,
  directory: AccountDirectory,
): ProjectContext {
  const id = isCurrent(text, settings)
    ? (directory.currentProject(user)?.organization ?? user.organizations[0])
    : text.toLowerCase()
  const organization = id === undefined ? undefined : directory.organization(id)
  if (id !== undefined) requireOrganizationAccess(key.organizations, id)
  if (!organization) throw new Failure('not_found', 'Organization not found.')
  if (!user.organizations.includes(organization.id)) throw insufficientKey()
  return { organization }
}

function parseProjectId(text: string, settings: PolicySettings): number {
  const id = parseInteger(text)
  if (id !== undefined) return id
  const isGeneric = settings['projects.id.not_a_number'] === 'not_found'
  throw new Failure('not_found', isGeneric ? undefined : 'Project not found.')
}

function requireOrganizationAccess(allowed: readonly string[], id: string): void {
  if (allowed.length === 0 || allowed.includes(id)) return
  throw insufficientKey(`API key does not have access to the requested organization: ID ${id}.`)
}

function isCurrent(text: string, settings: PolicySettings): boolean {
  return text === '@current' && settings['paths.current'] === 'on'
}

/** Authenticates a request by its API key. If it has several keys, only the first one is tried. */
function authenticate(
  request: Pick<ApiRequest, 'headers' | 'query'>,
  settings: PolicySettings,
  directory: AccountDirectory,
  getBody: () => unknown,
): ApiCaller {
  const sentKey = findApiKey(request, settings, getBody)
  if (!sentKey) throw new Failure('not_authenticated')
  const key = directory.key(sentKey.value)
  const user = key && directory.user(key.user)
  if (key && user?.is_active) return { key, user }
  throw new Failure(
    'authentication_failed',
    `Personal API key found in request ${sentKey.location} is invalid.`,
  )
}

/**
 * Finds the API key of a request: in the header, and if the policy `keys.places` allows it, in the body, then in the
 * query.
 *
 * @param getBody returns the parsed body; called only if a body may hold a key and the header has none
 */
export function findApiKey(
  { headers, query }: Pick<ApiRequest, 'headers' | 'query'>,
  settings: PolicySettings,
  getBody: () => unknown,
): SentApiKey | null {
  const headerKey = keyInHeader(headers.get('authorization'))
  if (headerKey || settings['keys.places'] === 'header') return headerKey
  return keyInBody(getBody()) ?? keyInQuery(query)
}

/** @throws Failure `permission_denied` unless the key has the scope */
function requireScope(key: KeyRow, rule: ScopeRule, settings: PolicySettings): void {
  if (isUnscopedKey(key, settings) || rule === 'any_key') return
  const scopes = key.scopes ?? []
  if (rule === 'refused') {
    throw insufficientKey('This action does not support Personal API Key access')
  }
  if (scopes.includes('*') || scopes.includes(rule)) return
  const writeScope = rule.replace(/:read$/, ':write')
  if (settings['keys.write_implies_read'] === 'yes' && scopes.includes(writeScope)) return
  throw insufficientKey(`API key missing required scope '${rule}'`)
}

function insufficientKey(detail?: string): Failure {
  return new Failure('permission_denied', detail, { isKeyInsufficient: true })
}

/** Whether a key was issued before scopes existed. Such a key has all permissions. */
export function isUnscopedKey(
  { scopes }: Pick<KeyRow, 'scopes'>,
  settings: PolicySettings,
): boolean {
  if (scopes === null) return true
  return scopes.length === 0 && settings['keys.empty_scopes'] === 'everything'
}

interface SentApiKey {
  readonly value: string
  readonly location: 'Authorization header' | 'body' | 'query string'
}

/** Parses exactly `Bearer`, white space, and a key of at least two characters. Any other value contains no key. */
export function keyInHeader(authorization: string | null | undefined): SentApiKey | null {
  const value = /^Bearer\s+(\S.+)$/.exec(authorization?.trim() ?? '')?.[1]
  return value === undefined ? null : { value, location: 'Authorization header' }
}

export function keyInBody(body: unknown): SentApiKey | null {
  const value = (body as { [keyFieldName]?: unknown } | null | undefined)?.[keyFieldName]
  return typeof value === 'string' && value !== '' ? { value, location: 'body' } : null
}

/** @param query the part of the URL after `?` */
export function keyInQuery(query: string): SentApiKey | null {
  // Fast path: most requests have no query.
  if (query === '') return null
  const value = new URLSearchParams(query).getAll(keyFieldName).at(-1)
  return value ? { value, location: 'query string' } : null
}
