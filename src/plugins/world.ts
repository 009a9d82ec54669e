import type { Caller } from '../http/access.ts'
import type { Window } from '../http/page.ts'
import type { Entry } from '../world/entry.ts'
import type { OrganizationRow, PluginRow } from '../world/rows.ts'
import type { PluginExtras } from './extras.ts'
import type { Plugins } from './plugins.ts'

/** What endpoints on plugins work with. */
export interface World {
  readonly plugins: Plugins
  readonly extras: PluginExtras
}

/** What the answers to choose from are given, on the plugins of an organization … */
export interface OnPlugins {
  readonly organization: OrganizationRow
  readonly query: Window
}

/** … on its activity … */
export interface OnActivity extends OnPlugins {
  readonly caller: Caller
  readonly query: Window & { readonly page: number }
  readonly url: string
}

/** … and on one plugin. */
export interface OnPlugin {
  readonly organization: OrganizationRow
  readonly subject: Entry<PluginRow>
  readonly body: unknown
}
