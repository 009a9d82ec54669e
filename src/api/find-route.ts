import { type PathItem, type ResolvedRoute, resolveRoute } from '../http/route.ts'
import { apiPath, compilePath, type PathMatch, toBaseUrl } from '../http/url.ts'
import type { SettingValues } from '../settings/setting.ts'
import { pathItems } from './endpoints.ts'

const base = toBaseUrl('*')
const matchers = pathItems.map(({ path }) => compilePath(path, base))

/** Finds the path of the API that a URL or a path has, at its start or below a sandbox, whatever the settings enable. */
export function findPath(
  url: string,
): { readonly pathItem: PathItem; readonly match: PathMatch } | null {
  for (const [index, pathItem] of pathItems.entries()) {
    const match = matchers[index]?.(url)
    if (match) return { pathItem, match }
  }
  return null
}

/** The route of a request under these settings. Its target can start with a mount path. Reading settings is tracked. */
export function findRoute(
  { method, target }: { readonly method: string; readonly target: string },
  settings: SettingValues,
): ResolvedRoute | null {
  const found = findPath(apiPath(target))
  return found && resolveRoute(found.pathItem, method, found.match, settings)
}
