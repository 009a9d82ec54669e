import type { ApiRequest } from '../request.ts'
import { byId, type Key, type Project, type Rows, type User } from '../rows.ts'
import { denied, invalidKey, notAuthenticated, notFound } from './answers.ts'
import { isTooLarge } from './bodies.ts'
import type { Call, Caller, Parent } from './call.ts'
import { allowsRetrieval, requireLevel } from './plugins.ts'
import { scopeOf } from './routes.ts'

interface Found {
  readonly value: string
  readonly place: string
}

/** The first key that is found counts. Only `live` looks at other places than the header. */
function findKey(request: ApiRequest, live: boolean): Found | null {
  const { authorization, query } = request
  const inHeader = /^Bearer +(\S.+)$/.exec(authorization?.trim() ?? '')?.[1]
  if (inHeader !== undefined) return { value: inHeader, place: 'Authorization header' }
  if (!live) return null
  const inBody = textIn(request, 'personal_api_key')
  if (inBody !== undefined) return { value: inBody, place: 'body' }
  const inQuery = query.findLast(([name]) => name === 'personal_api_key')?.[1]
  return inQuery === undefined ? null : { value: inQuery, place: 'query string' }
}

/** The key that selects a sandbox, before the body is read: one in the body selects none. */
export const selectingKey = (request: ApiRequest, live: boolean): string | null =>
  findKey({ ...request, body: null }, live)?.value ?? null

function textIn({ body }: ApiRequest, name: string): string | undefined {
  return body?.means.kind === 'fields' ? body.means.fields[name]?.text : undefined
}

export function authenticate({ rows, request, live, parse }: Call): Caller {
  if (live && findKey(request, false) === null) parse()
  const sent = findKey(request, live)
  if (!sent) throw notAuthenticated()
  const key = rows.keys.find((row) => row.value === sent.value)
  const user = key && byId(rows.users, key.user)
  if (!key || !user?.is_active) throw invalidKey(sent.place)
  return { key, user }
}

/** Checks scope, restriction, parent, membership and access level. Returns what the path is about. */
export function authorize(call: Call, caller: Caller): Parent {
  const parent = findAllowedParent(call, caller)
  const organization = parent.project?.organization ?? parent.organization?.id
  const isMember = organization === undefined || caller.user.organizations.includes(organization)
  if (!isMember && !allowsRetrieval(call)) {
    throw denied(parent.project ? "You don't have access to the project." : undefined)
  }
  if (parent.organization) requireLevel(call, parent.organization)
  return parent
}

/**
 * The order of the checks: a key without restriction needs its scope first. A narrowed key has its parent found and its
 * restriction checked before. The body is parsed just before the parent is looked up, whatever the method.
 */
function findAllowedParent(call: Call, { key, user }: Caller): Parent {
  const scope = scopeOf(call.route, call.method, call.live)
  const needsScope = !isUnlimited(key, call)
  if (needsScope && scope === 'refused') {
    throw denied('This action does not support Personal API Key access')
  }
  const requireScope = () => {
    if (!needsScope || scope === null || allows(key, scope, call)) return
    throw denied(`API key missing required scope '${scope}'`)
  }
  const find = () => {
    if (call.route.parent !== null) parseEarly(call)
    return findParent(call, user)
  }
  if (key.projects.length === 0 && key.organizations.length === 0) {
    requireScope()
    return find()
  }
  requireProjectPath(key, call)
  const parent = find()
  if (parent.project) requireProject(key, String(parent.project.id))
  const organization = parent.project?.organization ?? parent.organization?.id
  if (organization !== undefined) requireOrganization(key, organization)
  requireScope()
  return parent
}

/** A body over the limit is refused only where an operation reads it: it is never held in memory. */
function parseEarly({ request, live, parse }: Call): void {
  if (!isTooLarge(request, live)) parse()
}

/** A key from before scopes existed. In `live`, a key with an empty list counts as one. */
const isUnlimited = ({ scopes }: Key, { live }: Call): boolean =>
  scopes === null || (live && scopes.length === 0)

/** In `live`, writing includes reading. */
function allows({ scopes }: Key, scope: string, { live }: Call): boolean {
  const enough = ['*', scope, ...(live ? [scope.replace(':read', ':write')] : [])]
  return enough.some((candidate) => scopes?.includes(candidate))
}

function requireProjectPath({ projects }: Key, { route }: Call): void {
  if (projects.length === 0 || route.parent === 'project') return
  throw denied('API keys with scoped projects are only supported on project-based endpoints.')
}

function requireProject({ projects }: Key, id: string): void {
  if (projects.length === 0 || projects.some((project) => String(project) === id)) return
  throw denied(`API key does not have access to the requested project: ID ${id}.`)
}

function requireOrganization({ organizations }: Key, id: string): void {
  if (organizations.length === 0 || organizations.includes(id)) return
  throw denied(`API key does not have access to the requested organization: ID ${id}.`)
}

function findParent(call: Call, user: User): Parent {
  const { rows, route } = call
  if (route.parent === null) return {}
  if (route.parent === 'project') {
    const id = projectId(rows, user, route.parentId)
    const project = rows.projects.find((candidate) => String(candidate.id) === id)
    if (project) return { project }
    throw notFound('Project not found.')
  }
  const organization = byId(rows.organizations, organizationId(rows, user, route.parentId))
  if (organization) return { organization }
  throw notFound('Organization not found.')
}

function projectId(rows: Rows, user: User, id: string): string {
  if (id !== '@current') return id
  return String(currentProject(rows, user)?.id)
}

function organizationId(rows: Rows, user: User, id: string): string {
  if (id !== '@current') return readUuid(id)
  return currentProject(rows, user)?.organization ?? user.organizations[0] ?? id
}

/** Python reads a UUID without hyphens, too, in braces, and as a URN. */
function readUuid(text: string): string {
  const digits = text.toLowerCase().replace(/^urn:uuid:|[{}-]/g, '')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The project that the user has chosen, or else the first one that the user can see. */
export function currentProject(rows: Rows, user: User): Project | undefined {
  return (
    byId(rows.projects, user.current_project) ??
    rows.projects.find(({ organization }) => user.organizations.includes(organization))
  )
}
