import { visibleLists } from '../../api/annotations/annotations.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { Defaults } from '../../world/defaults.ts'
import type { WorldAccess } from '../../world/edit/world-access.ts'
import type { SortedRows } from '../../world/table/ordered-list.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import { pluginIndex, type Tables, visiblePluginIndexes } from '../../world/table/tables.ts'
import type { ActorStep, AnnotationReference, PluginReference } from './actor-request.ts'

/** The world that steps write to. */
export interface StepContext {
  readonly tables: Tables
  readonly access: WorldAccess
  readonly clock: Clock
  readonly defaults: Defaults
  readonly settings: PolicySettings
}

/**
 * Runs a step. Its write is validated like a write through `simulator.world`.
 *
 * @throws UsageError for an unknown row and for an invalid write; then nothing is changed
 */
export function runStep(step: ActorStep, context: StepContext): void {
  const { access, tables, clock } = context
  if ('create' in step) {
    if (step.create === 'annotations') access.annotations.create(step.row)
    else access.plugins.create(step.row)
  } else if ('update' in step) {
    if (step.update === 'annotations') {
      const changes = { ...step.changes, updated_at: clock.iso() }
      access.annotations.update(resolveAnnotationId(step.id, context), changes)
    } else {
      tables.pluginRevision += 1
      const changes = { ...step.changes, revision: tables.pluginRevision }
      access.plugins.update(resolvePluginId(step.id, context), changes)
    }
  } else if (step.delete === 'annotations') {
    const changes = { deleted: true, updated_at: clock.iso() }
    access.annotations.update(resolveAnnotationId(step.id, context), changes)
  } else {
    removePlugin(resolvePluginId(step.id, context), context)
  }
}

/** Removes a plugin and its configurations, as the service does. */
function removePlugin(id: number, { tables, access }: StepContext): void {
  const configs = tables.plugin_configs.list([pluginIndex(id)])
  for (const { row } of configs.slice(0, Number.POSITIVE_INFINITY)) {
    access.plugin_configs.delete(row.id)
  }
  if (access.plugins.delete(id)) return
  throw unexpectedValue('delete a plugin', 'the id of a plugin', id)
}

/** @throws UsageError for an unknown project, and for a position outside the list */
function resolveAnnotationId(
  reference: AnnotationReference,
  { tables, defaults, settings }: StepContext,
): number {
  if (typeof reference === 'number') return reference
  const project = tables.projects.get(reference.project ?? defaults.project_id)
  if (!project) throw unexpectedValue('find a row', 'the id of a project', reference.project)
  const includesDeleted = settings['annotations.deleted.visibility'] === 'listed'
  return idAt(reference.at, tables.annotations.list(visibleLists(project, includesDeleted)))
}

/** @throws UsageError for a position outside the list */
function resolvePluginId(
  reference: PluginReference,
  { tables, defaults, settings }: StepContext,
): number {
  if (typeof reference === 'number') return reference
  const organization = reference.organization ?? defaults.organization_id
  const includesGlobal = settings['plugins.global.visibility'] === 'every_organization'
  return idAt(reference.at, tables.plugins.list(visiblePluginIndexes(organization, includesGlobal)))
}

function idAt(at: number, list: SortedRows<TableEntry<{ readonly id: number }>>): number {
  const entry = list.at(at < 0 ? list.size + at : at)
  if (entry) return entry.row.id
  const rows = list.size === 1 ? '1 row' : `${list.size} rows`
  throw unexpectedValue('find a row', `a position in a list of ${rows}`, at)
}
