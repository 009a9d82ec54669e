import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { integerDigits, parseInteger } from '../utils/python/int.ts'
import type { OrganizationRow, ProjectRow } from '../world/rows.ts'
import type { AccountDirectory } from '../world/table/row-lookup.ts'
import { type ApiCaller, authenticate, insufficientKey, requireScope } from './authenticate.ts'
import type { EndpointContext } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import { Failure } from './failures.ts'
import type { ApiRequest } from './messages.ts'
import { throttledFailure } from './throttle.ts'

/** Lets a request in: who asks, and where it leads. */
export type Authorize<W> = (
  endpoint: Endpoint<W>,
  params: Readonly<Record<string, string>>,
  call: ApiRequest,
  sandbox: EndpointContext<W>,
  body: () => unknown,
) => ProjectContext & { readonly caller?: ApiCaller }

/** By an API key, as every endpoint of the service is entered. */
export function authorizeByKey<W>(
  endpoint: Endpoint<W>,
  params: Readonly<Record<string, string>>,
  call: ApiRequest,
  sandbox: EndpointContext<W>,
  body: () => unknown,
): ProjectContext & { caller: ApiCaller } {
  const { settings, directory, world } = sandbox
  const caller = authenticate(call, settings, directory, body)
  requireScope(caller.key, resolveByPolicy(endpoint.scope, settings), settings)
  const place = resolveProjectContext(params, caller, settings, directory)
  if (place.organization) {
    endpoint.checkPermission?.({ organization: place.organization, method: call.method }, world)
  }
  const wait = sandbox.throttle(caller.key.value)
  if (wait > 0) throw throttledFailure(wait)
  return { caller, ...place }
}

/** Where a request leads: into a project, into an organization, or to neither. */
export interface ProjectContext {
  readonly project?: ProjectRow
  readonly organization?: OrganizationRow
}

/**
 * The project or organization of a path. Checked in this order (observed §1): what the key is limited to,
 * whether the place exists, whether the user belongs to it.
 *
 * @throws Failure `permission_denied` or `not_found`
 */
function resolveProjectContext(
  params: Readonly<Record<string, string>>,
  caller: ApiCaller,
  settings: PolicySettings,
  directory: AccountDirectory,
): ProjectContext {
  if (params.project_id !== undefined)
    return resolveProject(params.project_id, caller, settings, directory)
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
    const shown = Number.isSafeInteger(id) ? id : integerDigits(text)
    throw insufficientKey(`API key does not have access to the requested project: ID ${shown}.`)
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
  const plain = settings['projects.id.not_a_number'] === 'not_found'
  throw new Failure('not_found', plain ? undefined : 'Project not found.')
}

function requireOrganizationAccess(allowed: readonly string[], id: string): void {
  if (allowed.length === 0 || allowed.includes(id)) return
  throw insufficientKey(`API key does not have access to the requested organization: ID ${id}.`)
}

function isCurrent(text: string, settings: PolicySettings): boolean {
  return text === '@current' && settings['paths.current'] === 'on'
}
