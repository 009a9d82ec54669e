import { type Call, type Operation, type PathItem, resolveEndpoint } from '../http/endpoint.ts'
import type { OperationId } from '../http/operation-id.ts'
import { apiPath, compilePaths, createPathItems, type FindPath, toBaseUrl } from '../http/route.ts'
import type { SettingValues } from '../settings/setting.ts'
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
 * The endpoints by path, in the order in which handlers are tried. All simulators share them. Most requests are for
 * annotations.
 */
export const pathItems: readonly PathItem[] = [
  annotationEndpoints,
  pluginEndpoints,
  projectEndpoints,
].flatMap((resource) => createPathItems(resource))

/** Finds the path of the API that a URL or a path has, at its start or below a sandbox, whatever the settings enable. */
export const findPath: FindPath<PathItem> = compilePaths(pathItems, toBaseUrl('*'))

/** The path of a request, the values of its parameters, and the endpoint of its method. */
export type ApiRoute = Pick<Call, 'path' | 'params' | 'endpoint'>

/** The route of a request under these settings. Its target can start with a mount path. Reading settings is tracked. */
export function findRoute(
  { method, target }: { readonly method: string; readonly target: string },
  settings: SettingValues,
): ApiRoute | null {
  const found = findPath(apiPath(target))
  if (!found) return null
  const { item: path, params } = found
  return { path, params, endpoint: resolveEndpoint(path, method, settings) }
}
