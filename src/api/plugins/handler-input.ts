import type { ApiCaller } from '../../http/endpoint.ts'
import type { OrganizationRow, PluginRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import type { Plugins } from './plugins.ts'

export interface PluginsWorld {
  readonly plugins: Plugins
}

/** The input of handlers that a policy selects. */
export interface PluginInput {
  readonly organization: OrganizationRow
  readonly subject: TableEntry<PluginRow>
  readonly body: unknown
}

type FindPlugin = (
  input: {
    readonly organization: OrganizationRow
    readonly params: { readonly id: number }
    readonly caller: ApiCaller
  },
  world: PluginsWorld,
) => TableEntry<PluginRow>

export const findVisiblePlugin: FindPlugin = ({ organization, params }, { plugins }) =>
  plugins.findVisible(organization, params.id)

/** Finds the plugin of the path among those that the organization owns. */
export const findOwnPlugin: FindPlugin = ({ organization, params }, { plugins }) =>
  plugins.findOwn(organization, params.id)

export const findPluginToChange: FindPlugin = ({ organization, params, caller }, { plugins }) =>
  plugins.findToChange(organization, params.id, caller)
