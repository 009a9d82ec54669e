import { type Call, type PathItem, resolveEndpoint } from '../http/endpoint.ts'
import { apiPath, compilePaths, type FindPath, toBaseUrl } from '../http/route.ts'
import type { SettingValues } from '../settings/setting.ts'
import { pathItems } from './endpoints.ts'

/** Finds the path of the API that a URL or a path has, at its start or below a sandbox, whatever the settings enable. */
export const findPath: FindPath<PathItem> = compilePaths(pathItems, toBaseUrl('*'))

/** The path of a request, the values of its parameters, and the endpoint of its method. */
export type Route = Pick<Call, 'path' | 'params' | 'endpoint'>

/** The route of a request under these settings. Its target can start with a mount path. Reading settings is tracked. */
export function findRoute(
  { method, target }: { readonly method: string; readonly target: string },
  settings: SettingValues,
): Route | null {
  const found = findPath(apiPath(target))
  if (!found) return null
  const { item: path, params } = found
  return { path, params, endpoint: resolveEndpoint(path, method, settings) }
}
