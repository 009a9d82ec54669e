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

/** A world as JSON, all of it copied: loading it gives the same world. Rows stand by ascending id. */
export function exportWorld({ tables, seed, now }: LoadedWorld): WorldJson {
  return {
    ...(now === undefined ? {} : { now }),
    seed,
    next_ids: Object.fromEntries(counted.map((list) => [list, tables[list].nextId])),
    organizations: copies(tables.organizations),
    projects: copies(tables.projects),
    users: copies(tables.users),
    keys: copies(tables.keys),
    dashboard_items: copies(tables.dashboard_items),
    repository: copies(tables.repository).map(toRepositoryJson),
    plugins: copies(tables.plugins),
    plugin_configs: copies(tables.plugin_configs),
    annotations: [...tables.annotations.values()].map(toAnnotationJson),
    activity: copies(tables.activity),
  }
}

function copies<Row>(table: { values(): Iterable<Row> }): Row[] {
  return structuredClone([...table.values()])
}

/** Flat: taking it apart is a copy, and the quickest one. */
function toAnnotationJson({ organization: _, ...row }: AnnotationRow): AnnotationJson {
  return row
}

function toRepositoryJson({ id: _, extra, ...entry }: RepositoryRow): RepositoryJson {
  return { ...entry, ...extra }
}
