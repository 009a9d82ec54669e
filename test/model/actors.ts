import type { World } from './model.ts'
import type { Annotation, Rows } from './rows.ts'
import { formatTime } from './rules/dates.ts'
import { type AnnotationFields, firstAnnotation } from './rules/fields.ts'

/** A second actor: after which requests it writes, and what. */
export interface Actor {
  readonly after: { readonly operation: string; readonly requests: number; readonly every: boolean }
  readonly step:
    | { readonly create: NewAnnotation }
    | { readonly update: number; readonly changes: Partial<AnnotationFields> }
    | { readonly delete: number }
    | { readonly updatePlugin: number; readonly name: string }
    | { readonly deletePlugin: number }
}

export type NewAnnotation = Pick<
  Annotation,
  | 'content'
  | 'date_marker'
  | 'scope'
  | 'project'
  | 'created_by'
  | 'dashboard_item'
  | 'creation_type'
> & { readonly deleted: boolean }

/** Lets each second actor write whose turn has come. */
export function runActors(world: World, operation: string | undefined): void {
  for (const entry of world.actors) {
    const { after, step } = entry.actor
    if (entry.remaining === null || after.operation !== operation) continue
    entry.remaining -= 1
    if (entry.remaining > 0) continue
    entry.remaining = after.every ? after.requests : null
    runStep(world, step)
  }
}

/** A step that refers to a missing row does nothing. */
function runStep({ rows, now }: World, step: Actor['step']): void {
  const time = formatTime(now)
  if ('create' in step) {
    const id = rows.nextAnnotation
    const times = { created_at: time, updated_at: time }
    rows.annotations.push({ id, ...firstAnnotation, ...step.create, ...times })
    rows.nextAnnotation += 1
    return
  }
  if ('updatePlugin' in step) {
    changePlugin(rows, step.updatePlugin, step.name)
    return
  }
  if ('deletePlugin' in step) {
    rows.plugins = rows.plugins.filter(({ id }) => id !== step.deletePlugin)
    rows.plugin_configs = rows.plugin_configs.filter(({ plugin }) => plugin !== step.deletePlugin)
    return
  }
  const id = 'update' in step ? step.update : step.delete
  const row = rows.annotations.find((one) => one.id === id)
  if (!row) return
  Object.assign(row, 'update' in step ? step.changes : { deleted: true }, { updated_at: time })
}

function changePlugin(rows: Rows, id: number, name: string): void {
  const row = rows.plugins.find((one) => one.id === id)
  if (!row) return
  rows.nextRevision += 1
  Object.assign(row, { name, revision: rows.nextRevision })
}
