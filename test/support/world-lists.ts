import type { WorldJson } from '../../src/factories.ts'

type Lists = Required<
  Pick<
    WorldJson,
    | 'organizations'
    | 'projects'
    | 'users'
    | 'keys'
    | 'dashboard_items'
    | 'repository'
    | 'plugins'
    | 'plugin_configs'
    | 'annotations'
    | 'activity'
  >
>

/** All lists of a world. A missing list is empty. */
export function listsOf(world: WorldJson): Lists {
  return {
    organizations: [],
    projects: [],
    users: [],
    keys: [],
    dashboard_items: [],
    repository: [],
    plugins: [],
    plugin_configs: [],
    annotations: [],
    activity: [],
    ...world,
  }
}
