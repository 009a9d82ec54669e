import { visibleLists } from '../annotations/visibility.ts'
import type { Defaults } from '../defaults.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { unexpected } from '../usage-error.ts'
import type { Entry } from '../world/entry.ts'
import { seenPlugins } from '../world/list-names.ts'
import type { ProjectRow } from '../world/rows.ts'
import type { Sorted } from '../world/sorted.ts'
import type { Tables } from '../world/tables.ts'
import type { PluginPlace, RowPlace } from './request.ts'

/** Where positions are counted. */
export interface Places {
  readonly tables: Tables
  readonly defaults: Defaults
  readonly settings: PolicySettings
}

/** The id of an annotation. @throws UsageError for a position that the list does not have */
export function annotationAt(place: RowPlace, { tables, defaults, settings }: Places): number {
  if (typeof place === 'number') return place
  const project = tables.projects.get(place.project ?? defaults.project_id)
  if (!project) throw unexpected('find a row', 'the id of a project', place.project)
  const deletedToo = settings['annotations.deleted.visibility'] === 'listed'
  const names = visibleLists(project satisfies ProjectRow, deletedToo)
  return idAt(place.at, tables.annotations.list(names))
}

/** The id of a plugin. @throws UsageError for a position that the list does not have */
export function pluginAt(place: PluginPlace, { tables, defaults, settings }: Places): number {
  if (typeof place === 'number') return place
  const everyones = settings['plugins.global.visibility'] === 'every_organization'
  const names = seenPlugins(place.organization ?? defaults.organization_id, everyones)
  return idAt(place.at, tables.plugins.list(names))
}

function idAt(at: number, list: Sorted<Entry<{ readonly id: number }>>): number {
  const entry = list.at(at < 0 ? list.size + at : at)
  if (entry) return entry.row.id
  throw unexpected('find a row', `a position in a list of ${list.size}`, at)
}
