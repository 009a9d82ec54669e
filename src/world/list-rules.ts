import { foldText } from './fold.ts'
import {
  deletedIndex,
  globalPluginsIndex,
  organizationGlobalPluginsIndex,
  organizationIndex,
  projectIndex,
} from './list-names.ts'
import type { ActivityRow, AnnotationRow, PluginRow } from './rows.ts'

/** A global plugin stands in two lists: its organization's global ones, and all that are global. */
export function indexesOfPlugin({ organization, is_global }: PluginRow): string[] {
  return is_global
    ? [organizationGlobalPluginsIndex(organization), globalPluginsIndex]
    : [organizationIndex(organization)]
}

/** Rows come from files, from bodies and from changes: with one order of fields the engine reads all of them alike. */
export function normalizeAnnotation(row: AnnotationRow): AnnotationRow {
  return {
    id: row.id,
    content: row.content,
    date_marker: row.date_marker,
    creation_type: row.creation_type,
    dashboard_item: row.dashboard_item,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted: row.deleted,
    scope: row.scope,
    project: row.project,
    organization: row.organization,
  }
}

/**
 * An annotation stands in one list: its organization's where it is organization-wide, else its project's.
 * Deleted ones have lists of their own.
 */
export function indexesOfAnnotation({
  project,
  organization,
  scope,
  deleted,
}: AnnotationRow): string[] {
  const list = scope === 'organization' ? organizationIndex(organization) : projectIndex(project)
  return [deleted ? deletedIndex(list) : list]
}

/** The log that is shown tells of plugins and their configurations only (observed §5.6). */
export function indexesOfActivity({ scope, project }: ActivityRow): string[] {
  return scope === 'Plugin' || scope === 'PluginConfig' ? [projectIndex(project)] : []
}

export function annotationSearchText({ content }: AnnotationRow): string | null {
  return content === null ? null : foldText(content)
}

/** Newest marker first, rows without one before all others (observed §4.1). */
export function rankAnnotation({ date_marker }: AnnotationRow): number {
  return date_marker === null ? Number.NEGATIVE_INFINITY : -Date.parse(date_marker)
}

/** Markers of one millisecond by their microseconds; one and the same by id, the newest first. */
export function compareAnnotations(a: AnnotationRow, b: AnnotationRow): number {
  if (a.date_marker === b.date_marker) return b.id - a.id
  return fractionOf(b.date_marker) - fractionOf(a.date_marker)
}

/** Of a time that has six digits of fraction, or none. */
function fractionOf(time: string | null): number {
  return Number(time?.slice(20, -1) ?? 0)
}

/** The newest entry first (observed §5.6). */
export function rankActivity({ created_at }: ActivityRow): number {
  return -Date.parse(created_at)
}

/** Entries of one millisecond by their microseconds; of one and the same time by id, the newest first. */
export function compareActivity(a: ActivityRow, b: ActivityRow): number {
  return fractionOf(b.created_at) - fractionOf(a.created_at) || b.id - a.id
}
