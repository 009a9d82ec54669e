import {
  anyJson,
  anyText,
  formattedText,
  nullableShape,
  objectOf,
  recordOf,
  type Shape,
} from '../fields/shape.ts'
import type { ApiCaller } from '../http/access.ts'
import { Slice, toJsonText } from '../wire.ts'
import type { Clock } from '../world/clock.ts'
import { currentProject } from '../world/directory.ts'
import { projectIndex } from '../world/list-names.ts'
import type { ActivityRow, Json, PluginRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'

/** An entry of the activity log as it goes over the wire (observed §5.6, §10). */
export interface ActivityEntry {
  user: { first_name: string; email: string } | null
  activity: string
  scope: string
  item_id: string
  detail: { [key: string]: Json }
  created_at: string
}

export const activityEntryShape: Shape<ActivityEntry> = objectOf({
  user: nullableShape(objectOf({ first_name: anyText, email: anyText })),
  activity: anyText,
  scope: anyText,
  item_id: anyText,
  detail: recordOf(anyJson),
  created_at: formattedText('date-time'),
})

/** Writes down what was done to a plugin, under the caller's current project. */
export function recordActivity(
  activity: 'installed' | 'uninstalled',
  plugin: PluginRow,
  { user }: ApiCaller,
  tables: Tables,
  clock: Clock,
): void {
  tables.activity.insert({
    id: tables.activity.nextId,
    user: user.id,
    organization: plugin.organization,
    project: currentProject(user, tables)?.id ?? null,
    activity,
    scope: 'Plugin',
    item_id: String(plugin.id),
    detail: { changes: null, trigger: null, name: plugin.name, short_id: null, type: null },
    created_at: clock.iso(),
  })
}

/** What was done to plugins and their configurations in the caller's current project, newest first. */
export function listActivity(
  { user }: ApiCaller,
  tables: Tables,
  { limit, offset }: { limit: number; offset: number },
): Slice<ActivityEntry> {
  const list = tables.activity.list([projectIndex(currentProject(user, tables)?.id)])
  const rows = list.slice(offset, limit).map(({ row }) => toJsonText(toActivityEntry(row, tables)))
  return new Slice(rows, list.size)
}

function toActivityEntry(row: ActivityRow, { users }: Tables): ActivityEntry {
  const user = row.user === null ? undefined : users.get(row.user)
  return {
    user: user ? { first_name: user.first_name, email: user.email } : null,
    activity: row.activity,
    scope: row.scope,
    item_id: row.item_id,
    detail: row.detail,
    created_at: row.created_at,
  }
}
