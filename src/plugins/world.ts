import type { ApiCaller } from '../http/access.ts'
import type { LimitOffset } from '../http/page.ts'
import type { TableEntry } from '../world/entry.ts'
import type { OrganizationRow, PluginRow } from '../world/rows.ts'
import type { PluginExtras } from './extras.ts'
import type { Plugins } from './plugins.ts'

/** What endpoints on plugins work with. */
export interface PluginsWorld {
  readonly plugins: Plugins
  readonly extras: PluginExtras
}

/** What the answers to choose from are given, on the plugins of an organization … */
export interface PluginListInput {
  readonly organization: OrganizationRow
  readonly query: LimitOffset
}

/** … on its activity … */
export interface PluginActivityInput extends PluginListInput {
  readonly caller: ApiCaller
  readonly query: LimitOffset & { readonly page: number }
  readonly url: string
}

/** … and on one plugin. */
export interface PluginInput {
  readonly organization: OrganizationRow
  readonly subject: TableEntry<PluginRow>
  readonly body: unknown
}
