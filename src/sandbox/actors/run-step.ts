import { visibleLists } from '../../api/annotations/filter.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { Defaults } from '../../world/defaults.ts'
import type { WorldAccess } from '../../world/edit/world-access.ts'
import type { ProjectRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/entry.ts'
import type { SortedRows } from '../../world/table/sorted.ts'
import { pluginIndex, type Tables, visiblePluginIndexes } from '../../world/table/tables.ts'
import type { ActorStep, AnnotationReference, PluginReference } from './actor-request.ts'

/** What a step is carried out in. */
export interface StepContext {
  readonly tables: Tables
  readonly access: WorldAccess
  readonly clock: Clock
  readonly defaults: Defaults
  readonly settings: PolicySettings
}

/**
 * Carries out a step, checked as direct writes to the world are.
 *
 * @throws UsageError for a row that is not there, or that would have a fault; then nothing is changed
 */
export function runStep(step: ActorStep, stage: StepContext): void {
  const { access, tables, clock } = stage
  if ('create' in step) {
    if (step.create === 'annotations') access.annotations.create(step.row)
    else access.plugins.create(step.row)
  } else if ('update' in step) {
    if (step.update === 'annotations') {
      const changes = { ...step.changes, updated_at: clock.iso() }
      access.annotations.update(resolveAnnotationId(step.id, stage), changes)
    } else {
      tables.pluginRevision += 1
      const changes = { ...step.changes, revision: tables.pluginRevision }
      access.plugins.update(resolvePluginId(step.id, stage), changes)
    }
  } else if (step.delete === 'annotations') {
    const changes = { deleted: true, updated_at: clock.iso() }
    access.annotations.update(resolveAnnotationId(step.id, stage), changes)
  } else {
    removePlugin(resolvePluginId(step.id, stage), stage)
  }
}

/** With its configurations, as the service does (observed §5.5). */
function removePlugin(
  id: number,
  { tables, access }: Pick<StepContext, 'tables' | 'access'>,
): void {
  const configs = tables.plugin_configs.list([pluginIndex(id)])
  for (const { row } of configs.slice(0, Number.POSITIVE_INFINITY)) {
    access.plugin_configs.delete(row.id)
  }
  if (access.plugins.delete(id)) return
  throw unexpectedValue('delete a row of plugins', 'the id of one', id)
}

/** Where positions are counted. */
export interface ReferenceContext {
  readonly tables: Tables
  readonly defaults: Defaults
  readonly settings: PolicySettings
}

/** The id of an annotation. @throws UsageError for a position that the list does not have */
function resolveAnnotationId(
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
function resolvePluginId(
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
