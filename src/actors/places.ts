import { visibleLists } from '../annotations/visibility.ts'
import type { Defaults } from '../defaults.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { TableEntry } from '../world/entry.ts'
import { visiblePluginIndexes } from '../world/list-names.ts'
import type { ProjectRow } from '../world/rows.ts'
import type { SortedRows } from '../world/sorted.ts'
import type { Tables } from '../world/tables.ts'
import type { AnnotationReference, PluginReference } from './request.ts'

/** Where positions are counted. */
export interface ReferenceContext {
  readonly tables: Tables
  readonly defaults: Defaults
  readonly settings: PolicySettings
}

/** The id of an annotation. @throws UsageError for a position that the list does not have */
export function resolveAnnotationId(
  place: AnnotationReference,
  { tables, defaults, settings }: ReferenceContext,
): number {
  if (typeof place === 'number') return place
  const project = tables.projects.get(place.project ?? defaults.project_id)
  if (!project) throw unexpectedValue('find a row', 'the id of a project', place.project)
  const deletedToo = settings['annotations.deleted.visibility'] === 'listed'
  const names = visibleLists(project satisfies ProjectRow, deletedToo)
  return idAt(place.at, tables.annotations.list(names))
}

/** The id of a plugin. @throws UsageError for a position that the list does not have */
export function resolvePluginId(
  place: PluginReference,
  { tables, defaults, settings }: ReferenceContext,
): number {
  if (typeof place === 'number') return place
  const everyones = settings['plugins.global.visibility'] === 'every_organization'
  const names = visiblePluginIndexes(place.organization ?? defaults.organization_id, everyones)
  return idAt(place.at, tables.plugins.list(names))
}

function idAt(at: number, list: SortedRows<TableEntry<{ readonly id: number }>>): number {
  const entry = list.at(at < 0 ? list.size + at : at)
  if (entry) return entry.row.id
  throw unexpectedValue('find a row', `a position in a list of ${list.size}`, at)
}
