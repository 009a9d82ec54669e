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

/** The lists of a world, empty where it has none. */
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
