import type { Caller } from '../http/access.ts'
import type { Entry } from '../world/entry.ts'
import type { OrganizationRow, PluginRow } from '../world/rows.ts'
import type { World } from './world.ts'

interface Asked {
  readonly organization: OrganizationRow
  readonly params: { readonly id: number }
  readonly caller: Caller
}

/** The plugin of the path, as the organization sees it. */
export function pluginSeen({ organization, params }: Asked, { plugins }: World): Entry<PluginRow> {
  return plugins.find(organization, params.id)
}

/** The plugin of the path, if the organization owns it. */
export function pluginOwned({ organization, params }: Asked, { plugins }: World): Entry<PluginRow> {
  return plugins.findOwn(organization, params.id)
}

/** The plugin of the path, if the caller may change it. */
export function pluginToChange(
  { organization, params, caller }: Asked,
  { plugins }: World,
): Entry<PluginRow> {
  return plugins.findToChange(organization, params.id, caller)
}
