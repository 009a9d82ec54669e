import type { ApiCaller } from '../http/access.ts'
import type { TableEntry } from '../world/entry.ts'
import type { OrganizationRow, PluginRow } from '../world/rows.ts'
import type { PluginsWorld } from './world.ts'

interface LookupInput {
  readonly organization: OrganizationRow
  readonly params: { readonly id: number }
  readonly caller: ApiCaller
}

/** The plugin of the path, as the organization sees it. */
export function findVisiblePlugin(
  { organization, params }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findVisible(organization, params.id)
}

/** The plugin of the path, if the organization owns it. */
export function findOwnPlugin(
  { organization, params }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findOwn(organization, params.id)
}

/** The plugin of the path, if the caller may change it. */
export function findPluginToChange(
  { organization, params, caller }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findToChange(organization, params.id, caller)
}
