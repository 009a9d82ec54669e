import type { ApiRequest } from '../request.ts'
import { byId, type Key, type Organization, type Project, type Rows, type User } from '../rows.ts'
import { denied, invalidKey, notAuthenticated, notFound } from './answers.ts'
import { acceptsCurrent } from './decisions.ts'
import type { Route } from './routes.ts'

export interface Caller {
  readonly key: Key
  readonly user: User
}

/** The value of the key in the header, or null if the header has none. */
export function keyValue({ authorization }: ApiRequest): string | null {
  return /^Bearer +(\S.+)$/.exec(authorization?.trim() ?? '')?.[1] ?? null
}

export function authenticate(rows: Rows, request: ApiRequest): Caller {
  const value = keyValue(request)
  if (value === null) throw notAuthenticated()
  const key = rows.keys.find((row) => row.value === value)
  const user = key && byId(rows.users, key.user)
  if (!key || !user?.is_active) throw invalidKey()
  return { key, user }
}

interface Parent {
  readonly project?: Project
  readonly organization?: Organization
}

/** Checks scope, restriction, parent and membership. Returns the project or the organization of the path. */
export function authorize(
  rows: Rows,
  { key, user }: Caller,
  route: Route,
  scope: string | null,
  parseBody: () => unknown,
): Parent {
  const parent = findAllowedParent(rows, { key, user }, route, scope, parseBody)
  const organization = parent.project?.organization ?? parent.organization?.id
  if (organization === undefined || user.organizations.includes(organization)) return parent
  throw denied(parent.project ? "You don't have access to the project." : undefined)
}

/**
 * The order of the checks: a key without restriction needs its scope first. A narrowed key has its parent found and its
 * restriction checked before. The body is parsed just before the parent is looked up, whatever the method.
 */
function findAllowedParent(
  rows: Rows,
  { key, user }: Caller,
  route: Route,
  scope: string | null,
  parseBody: () => unknown,
): Parent {
  const find = () => {
    if (route.parent !== null) parseBody()
    return findParent(rows, user, route)
  }
  if (key.projects.length === 0 && key.organizations.length === 0) {
    requireScope(key, scope)
    return find()
  }
  requireProjectPath(key, route)
  const parent = find()
  if (parent.project) requireProject(key, String(parent.project.id))
  const organization = parent.project?.organization ?? parent.organization?.id
  if (organization !== undefined) requireOrganization(key, organization)
  requireScope(key, scope)
  return parent
}

function requireScope({ scopes }: Key, scope: string | null): void {
  if (scope === null || scopes === null || scopes.includes('*') || scopes.includes(scope)) return
  throw denied(`API key missing required scope '${scope}'`)
}

function requireProjectPath({ projects }: Key, { parent }: Route): void {
  if (projects.length === 0 || parent === 'project') return
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

function findParent(rows: Rows, user: User, { parent, parentId }: Route): Parent {
  if (parent === null) return {}
  if (parent === 'project') {
    const id = projectId(rows, user, parentId)
    const project = rows.projects.find((one) => String(one.id) === id)
    if (project) return { project }
    throw notFound('Project not found.')
  }
  const organization = byId(rows.organizations, organizationId(rows, user, parentId))
  if (organization) return { organization }
  throw notFound('Organization not found.')
}

function projectId(rows: Rows, user: User, id: string): string {
  if (!acceptsCurrent || id !== '@current') return id
  return String(currentProject(rows, user)?.id)
}

function organizationId(rows: Rows, user: User, id: string): string {
  if (!acceptsCurrent || id !== '@current') return id.toLowerCase()
  return currentProject(rows, user)?.organization ?? user.organizations[0] ?? id
}

/** The project that the user has chosen, or else the first one that the user can see. */
function currentProject(rows: Rows, user: User): Project | undefined {
  return (
    byId(rows.projects, user.current_project) ??
    rows.projects.find(({ organization }) => user.organizations.includes(organization))
  )
}
