import { Failure } from '../errors.ts'
import type { Caller } from '../http/access.ts'
import type { Window } from '../http/page.ts'
import { type Slice, toWire, type Wire } from '../wire.ts'
import type { Entry } from '../world/entry.ts'
import { ownPlugins } from '../world/list-names.ts'
import type { OrganizationRow, PluginRow, SourceFiles } from '../world/rows.ts'
import { requireInstall } from './access-level.ts'
import { type ActivityEntry, activityOf } from './activity-log.ts'
import { type CatalogueEntry, catalogueOf, entryOf, newestVersion } from './catalogue.ts'
import {
  exportConfigurations,
  isUnused,
  type PluginConfiguration,
  toConfiguration,
} from './configurations.ts'
import { contentOf, tagsOf } from './install.ts'
import type { Plugin } from './plugin.ts'
import type { Plugins, Surroundings } from './plugins.ts'
import { edited } from './source-files.ts'

/** What the eight extra operations on plugins mean (observed §5.6). */
export class PluginExtras {
  readonly #world: Surroundings
  readonly #plugins: Plugins

  constructor(world: Surroundings, plugins: Plugins) {
    this.#world = world
    this.#plugins = plugins
  }

  /** Notes the newest version that the catalogue knows; a plugin it does not know stays as it is. */
  checkForUpdates(entry: Entry<PluginRow>, organization: OrganizationRow): Wire<Plugin> {
    const { tables, settings } = this.#world
    requireInstall(organization, 'Plugin installation', settings)
    const newest = newestVersion(entry.row.url, tables)
    if (!newest) return this.#plugins.show(entry)
    return this.#plugins.save({ ...entry.row, latest_tag: tagsOf(newest).latest_tag })
  }

  source({ row }: Entry<PluginRow>, organization: OrganizationRow): SourceFiles {
    requireInstall(organization, 'Plugin source editing', this.#world.settings)
    return row.source
  }

  updateSource({ row }: Entry<PluginRow>, changes: SourceFiles): SourceFiles {
    const after = { ...row, ...edited(row, changes) }
    this.#plugins.save(after)
    return after.source
  }

  upgrade(entry: Entry<PluginRow>): Wire<Plugin> {
    const { tables, settings } = this.#world
    const { row } = entry
    const effect = settings['plugins.upgrade.effect']
    const newest = newestVersion(row.url, tables)
    if (!newest || effect === 'nothing') return this.#plugins.show(entry)
    const tags = tagsOf(newest)
    if (effect === 'tag_moves') return this.#plugins.save({ ...row, ...tags })
    const isLocal = row.plugin_type === 'source' || row.plugin_type === 'local'
    if (isLocal) return this.#plugins.show(entry)
    return this.#plugins.save({ ...row, ...contentOf(newest), ...tags })
  }

  activity(caller: Caller, window: Window): Slice<ActivityEntry> {
    return activityOf(caller, this.#world.tables, window)
  }

  /** The plugin of the organization that was written last. @throws Failure `not_found` */
  lastChanged(organization: OrganizationRow): Wire<Plugin> {
    const [last] = this.#own(organization).sort((a, b) => b.row.revision - a.row.revision)
    return this.#showOr404(last)
  }

  exportConfigurations(organization: OrganizationRow): Wire<PluginConfiguration>[] {
    const { tables } = this.#world
    return exportConfigurations(organization, tables).map(({ config, plugin }) =>
      toWire(toConfiguration(config, plugin, tables)),
    )
  }

  /** The first plugin of the organization with an export configuration. @throws Failure `not_found` */
  firstExporting(organization: OrganizationRow): Wire<Plugin> {
    const found = exportConfigurations(organization, this.#world.tables)
    const exporting = new Set(found.map(({ plugin }) => plugin.id))
    return this.#showOr404(this.#own(organization).find(({ row }) => exporting.has(row.id)))
  }

  catalogue(): Wire<CatalogueEntry>[] {
    return catalogueOf(this.#world.tables).map(toWire)
  }

  /** The plugin of the organization whose url stands first in the catalogue. @throws Failure `not_found` */
  firstInCatalogue(organization: OrganizationRow): Wire<Plugin> {
    const { tables } = this.#world
    const listed = this.#own(organization)
      .map((entry) => ({ entry, position: entryOf(entry.row.url, tables)?.id }))
      .filter(({ position }) => position !== undefined)
      .sort((a, b) => Number(a.position) - Number(b.position))
    return this.#showOr404(listed[0]?.entry)
  }

  /** The ids of the plugins, of all organizations, that no configuration uses. */
  unusedIds(): Wire<number>[] {
    const { tables } = this.#world
    const rows = [...tables.plugins.values()].filter((row) => isUnused(row, tables))
    return rows.map(({ id }) => toWire(id))
  }

  /** The first plugin of the organization that no configuration uses. @throws Failure `not_found` */
  firstUnused(organization: OrganizationRow): Wire<Plugin> {
    const { tables } = this.#world
    return this.#showOr404(this.#own(organization).find(({ row }) => isUnused(row, tables)))
  }

  #own({ id }: OrganizationRow): Entry<PluginRow>[] {
    return this.#world.tables.plugins.list(ownPlugins(id)).slice(0, Infinity)
  }

  #showOr404(entry: Entry<PluginRow> | undefined): Wire<Plugin> {
    if (!entry) throw new Failure('not_found')
    return this.#plugins.show(entry)
  }
}
