import { didYouMean, unexpectedValue } from '../usage-error.ts'
import type { ListName } from '../world/watch.ts'

/** The lists of a world, and what one row of each is called. */
const resources: Readonly<Record<ListName, string>> = {
  organizations: 'organization',
  projects: 'project',
  users: 'user',
  keys: 'key',
  dashboard_items: 'dashboard_item',
  plugins: 'plugin',
  plugin_configs: 'plugin_config',
  repository: 'repository_entry',
  annotations: 'annotation',
  activity: 'activity_entry',
}

/** The names that a list can be asked for by. */
export const resourceNames: readonly string[] = Object.entries(resources).flat()

/**
 * The list of a name, which may be that of one row.
 *
 * @throws UsageError for an unknown name
 * @example toListName('annotation') // 'annotations'
 */
export function toListName(name: string): ListName {
  const found = Object.entries(resources).find((names) => names.includes(name))
  if (found) return found[0] as ListName
  const expected = `one of ${Object.keys(resources).join(', ')}`
  throw unexpectedValue(
    'explain a row',
    expected,
    name,
    didYouMean(String(name), resourceNames),
    'resource',
  )
}
