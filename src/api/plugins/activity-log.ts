import { currentProject } from '../../http/check.ts'
import type { ApiCaller, ApiContext } from '../../http/endpoint.ts'
import type { PluginRow } from '../../world/rows.ts'

export function recordActivity(
  activity: 'installed' | 'uninstalled',
  plugin: PluginRow,
  { user }: ApiCaller,
  { tables, clock }: ApiContext,
): void {
  tables.activity.put({
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
