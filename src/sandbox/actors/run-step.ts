import { visibleLists } from '../../api/annotations/annotations.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { createDefaults } from '../../world/defaults.ts'
import { WorldAccess } from '../../world/edit/world-access.ts'
import type { SortedRows } from '../../world/table/ordered-list.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import { pluginIndex, visiblePluginIndexes } from '../../world/table/tables.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ActorStep, AnnotationReference, PluginReference } from './actor-request.ts'

/**
 * Runs a step. Its write is validated like a write through `simulator.world`.
 *
 * @throws UsageError for an unknown row and for an invalid write; then nothing is changed
 */
export function runStep(step: ActorStep, sandbox: Sandbox): void {
  const { tables, clock } = sandbox
  const access = new WorldAccess(sandbox, createDefaults(sandbox))
  if ('create' in step) {
    if (step.create === 'annotations') access.annotations.create(step.row)
    else access.plugins.create(step.row)
  } else if ('update' in step) {
    if (step.update === 'annotations') {
      const changes = { ...step.changes, updated_at: clock.iso() }
      access.annotations.update(resolveAnnotationId(step.id, sandbox), changes)
    } else {
      tables.pluginRevision += 1
      const changes = { ...step.changes, revision: tables.pluginRevision }
      access.plugins.update(resolvePluginId(step.id, sandbox), changes)
    }
  } else if (step.delete === 'annotations') {
    const changes = { deleted: true, updated_at: clock.iso() }
    access.annotations.update(resolveAnnotationId(step.id, sandbox), changes)
  } else {
    const id = resolvePluginId(step.id, sandbox)
    // The service removes the configurations of a plugin, too.
    const configs = tables.plugin_configs.list([pluginIndex(id)])
    for (const { row } of configs.slice(0, Number.POSITIVE_INFINITY)) {
      access.plugin_configs.delete(row.id)
    }
    if (!access.plugins.delete(id)) {
      throw unexpectedValue('delete a plugin', 'the id of a plugin', id)
    }
  }
}

/** @throws UsageError for an unknown project, and for a position outside the list */
function resolveAnnotationId(reference: AnnotationReference, sandbox: Sandbox): number {
  if (typeof reference === 'number') return reference
  const { tables } = sandbox
  const project = tables.projects.get(reference.project ?? createDefaults(sandbox).project_id)
  if (!project) throw unexpectedValue('find a row', 'the id of a project', reference.project)
  // Untracked, since the response to the request does not depend on what an actor reads.
  const visibility = sandbox.policyTracker.untracked['annotations.deleted.visibility']
  return idAt(reference.at, tables.annotations.list(visibleLists(project, visibility === 'listed')))
}

/** @throws UsageError for a position outside the list */
function resolvePluginId(reference: PluginReference, sandbox: Sandbox): number {
  if (typeof reference === 'number') return reference
  const organization = reference.organization ?? createDefaults(sandbox).organization_id
  const visibility = sandbox.policyTracker.untracked['plugins.global.visibility']
  const indexes = visiblePluginIndexes(organization, visibility === 'every_organization')
  return idAt(reference.at, sandbox.tables.plugins.list(indexes))
}

function idAt(at: number, list: SortedRows<TableEntry<{ readonly id: number }>>): number {
  const entry = list.at(at < 0 ? list.size + at : at)
  if (entry) return entry.row.id
  const rows = list.size === 1 ? '1 row' : `${list.size} rows`
  throw unexpectedValue('find a row', `a position in a list of ${rows}`, at)
}
