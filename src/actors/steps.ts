import type { Defaults } from '../defaults.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { WorldAccess } from '../world/access.ts'
import type { Clock } from '../world/clock.ts'
import { pluginIndex } from '../world/list-names.ts'
import type { Tables } from '../world/tables.ts'
import { resolveAnnotationId, resolvePluginId } from './places.ts'
import type { ActorStep } from './request.ts'

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
