import type { LoadedWorld } from './load.ts'
import type { AnnotationRow, RepositoryRow } from './rows.ts'
import type { AnnotationJson, CountedList, RepositoryJson, WorldJson } from './world-json.ts'

const counted: readonly CountedList[] = [
  'projects',
  'users',
  'dashboard_items',
  'plugins',
  'plugin_configs',
  'annotations',
  'activity',
]

/** A world as JSON: loading it gives the same world. Rows stand by ascending id. */
export function exportWorld({ tables, seed, now }: LoadedWorld): WorldJson {
  return {
    ...(now === undefined ? {} : { now }),
    seed,
    next_ids: Object.fromEntries(counted.map((list) => [list, tables[list].nextId])),
    organizations: [...tables.organizations.values()],
    projects: [...tables.projects.values()],
    users: [...tables.users.values()],
    keys: [...tables.keys.values()],
    dashboard_items: [...tables.dashboard_items.values()],
    repository: [...tables.repository.values()].map(toRepositoryJson),
    plugins: [...tables.plugins.values()],
    plugin_configs: [...tables.plugin_configs.values()],
    annotations: [...tables.annotations.values()].map(toAnnotationJson),
    activity: [...tables.activity.values()],
  }
}

function toAnnotationJson({ organization: _, ...row }: AnnotationRow): AnnotationJson {
  return row
}

function toRepositoryJson({ id: _, extra, ...entry }: RepositoryRow): RepositoryJson {
  return { ...entry, ...extra }
}
