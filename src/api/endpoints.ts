import {
  type Call,
  type Endpoint,
  isEndpointEnabled,
  type Operation,
  type PathItem,
  resolveEndpoint,
  type ScopeRule,
} from '../http/endpoint.ts'
import { emptyBody } from '../http/fields/body-fields.ts'
import type { OperationId } from '../http/operation-id.ts'
import { apiPath, compilePaths, methodNotAllowed, toBaseUrl } from '../http/route.ts'
import { choose, perSetting, type SettingValues } from '../settings/setting.ts'
import { createAnnotation } from './annotations/create.ts'
import { deleteAnnotation } from './annotations/delete.ts'
import { listAnnotations } from './annotations/list.ts'
import { replaceAnnotation } from './annotations/replace.ts'
import { retrieveAnnotation } from './annotations/retrieve.ts'
import { updateAnnotation } from './annotations/update.ts'
import { checkPluginForUpdates } from './plugins/check-for-updates.ts'
import { createPlugin } from './plugins/create.ts'
import { deletePlugin } from './plugins/delete.ts'
import { listPlugins } from './plugins/list.ts'
import { listPluginActivity } from './plugins/list-activity.ts'
import { listExportsUnsubscribeConfigs } from './plugins/list-exports-unsubscribe-configs.ts'
import { listPluginRepository } from './plugins/list-repository.ts'
import { listUnusedPlugins } from './plugins/list-unused.ts'
import { requireAccessLevel } from './plugins/plugin.ts'
import { replacePlugin } from './plugins/replace.ts'
import { retrievePlugin } from './plugins/retrieve.ts'
import { retrievePluginSource } from './plugins/retrieve-source.ts'
import { updatePlugin } from './plugins/update.ts'
import { updatePluginSource } from './plugins/update-source.ts'
import { upgradePlugin } from './plugins/upgrade.ts'
import { listProjects } from './projects/list.ts'

/** Each first checks the plugin access level of the organization. */
const pluginEndpoints: readonly Operation[] = [
  listPlugins,
  createPlugin,
  retrievePlugin,
  replacePlugin,
  updatePlugin,
  deletePlugin,
  checkPluginForUpdates,
  retrievePluginSource,
  updatePluginSource,
  upgradePlugin,
  listPluginActivity,
  listExportsUnsubscribeConfigs,
  listPluginRepository,
  listUnusedPlugins,
].map((endpoint) => ({ ...endpoint, checkPermission: requireAccessLevel }))

const annotationEndpoints: readonly Operation[] = [
  listAnnotations,
  createAnnotation,
  retrieveAnnotation,
  replaceAnnotation,
  updateAnnotation,
  deleteAnnotation,
]

const projectEndpoints: readonly Operation[] = [listProjects]

/** Every endpoint of the API, in the order of the OpenAPI document. */
export const endpoints: readonly Operation[] = [
  ...pluginEndpoints,
  ...annotationEndpoints,
  ...projectEndpoints,
]

const byOperation: ReadonlyMap<string | null, Operation> = new Map(
  endpoints.map((endpoint) => [endpoint.operation, endpoint]),
)

/** The endpoint of an operation. @param operation its id. Null for a request to none */
export function endpointOf(operation: OperationId | null): Operation | undefined {
  return byOperation.get(operation)
}

/** Whether an operation reads a list that follows from no other operation, such as the activity or the unused plugins. */
export function isSideList(operation: OperationId | null): boolean {
  const endpoint = endpointOf(operation)
  return endpoint !== undefined && !endpoint.verb && !endpoint.path.includes(':id')
}

/**
 * Groups the endpoints of a resource by path. Each path gets OPTIONS and an endpoint for the methods that it does not
 * have. A URL has the first path that it matches: those with fewer parameters come first, since `unused` is no id.
 */
function createPathItems(endpoints: readonly Operation[]): PathItem[] {
  const countParameters = (path: string) => path.split('/:').length
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  paths.sort((a, b) => countParameters(a) - countParameters(b))
  return paths.map((path) => {
    const described = endpoints.filter((own) => own.path === path) as [Operation, ...Operation[]]
    return { path, endpoints: described, ...undocumentedEndpoints(described) }
  })
}

function undocumentedEndpoints(
  endpoints: readonly [Operation, ...Operation[]],
): Omit<PathItem, 'path' | 'endpoints'> {
  const [{ path, checkPermission }] = endpoints
  const shared = {
    path,
    // The method is checked before the row, so no id is parsed.
    params: {},
    errors: [],
    response: emptyBody,
    ...(checkPermission && { checkPermission }),
  }
  const otherMethods = (settings: SettingValues) =>
    endpoints
      .filter((endpoint) => isEndpointEnabled(endpoint, settings))
      .filter(({ status }) => choose(status, settings) < 400)
      .map(({ method }) => method)
      .join(', ')
  const options: Endpoint = {
    ...shared,
    operation: null,
    summary: 'Name the methods of the path, in the header Allow.',
    method: 'OPTIONS',
    scope: 'any_key',
    status: 200,
    run: () => undefined,
  }
  const notAllowed = (refused: ScopeRule): Endpoint => ({
    ...shared,
    operation: null,
    summary: 'Reject a method that the path does not have.',
    method: '*',
    otherMethods,
    scope: perSetting('methods.undocumented', {
      '405': 'any_key',
      refused_to_scoped_keys: refused,
    }),
    status: 405,
    run({ request: { method }, settings }) {
      throw methodNotAllowed(method, () => otherMethods(settings))
    },
  })
  const create = endpoints.find(({ verb }) => verb === 'create')
  return {
    options,
    anyMethod: notAllowed('refused'),
    // As the service's source has it: a PATCH of a list needs the scope of writing before it is refused.
    anyPatch: notAllowed((create?.scope as ScopeRule | undefined) ?? 'refused'),
  }
}

/**
 * The endpoints by path, in the order in which handlers are tried. All simulators share them. Most requests are for
 * annotations.
 */
export const pathItems: readonly PathItem[] = [
  annotationEndpoints,
  pluginEndpoints,
  projectEndpoints,
].flatMap((resource) => createPathItems(resource))

/** Finds the path of the API that a URL or a path has, at its start or below a sandbox, whatever the settings enable. */
export const findPath: ReturnType<typeof compilePaths<PathItem>> = compilePaths(
  pathItems,
  toBaseUrl('*'),
)

/** The path of a request, the values of its parameters, and the endpoint of its method. */
export type ApiRoute = Pick<Call, 'path' | 'params' | 'endpoint'>

/** The route of a request under these settings. Its target can start with a mount path. Reading settings is tracked. */
export function findRoute(
  { method, target }: { readonly method: string; readonly target: string },
  settings: SettingValues,
): ApiRoute | null {
  const match = findPath(apiPath(target))
  if (!match) return null
  const { item: path, params } = match
  return { path, params, endpoint: resolveEndpoint(path, method, settings) }
}
