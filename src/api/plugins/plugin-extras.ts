import type { ApiCaller } from '../../http/authenticate.ts'
import { Failure } from '../../http/failures.ts'
import type { LimitOffset } from '../../http/page.ts'
import { type JsonText, type Slice, toJsonText } from '../../utils/json-text.ts'
import type { OrganizationRow, PluginRow, SourceFiles } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/entry.ts'
import { ownPluginIndexes } from '../../world/table/tables.ts'
import { requireInstallLevel } from './access-level.ts'
import { type ActivityEntry, listActivity } from './activity-log.ts'
import {
  type CatalogueEntry,
  findCatalogueEntry,
  findNewestVersion,
  listCatalogue,
} from './catalogue.ts'
import {
  findExportConfigurations,
  isUnusedPlugin,
  type PluginConfiguration,
  toConfiguration,
} from './configurations.ts'
import { contentFields, tagFields } from './install.ts'
import type { Plugin } from './plugin.ts'
import type { Plugins, PluginsContext } from './plugins.ts'
import { applySourceChanges } from './source-files.ts'

/** What the eight extra operations on plugins mean (observed §5.6). */
export class PluginExtras {
  readonly #world: PluginsContext
  readonly #plugins: Plugins

  constructor(world: PluginsContext, plugins: Plugins) {
    this.#world = world
    this.#plugins = plugins
  }

  /** Notes the newest version that the catalogue knows; a plugin it does not know stays as it is. */
  checkForUpdates(entry: TableEntry<PluginRow>, organization: OrganizationRow): JsonText<Plugin> {
    const { tables, settings } = this.#world
    requireInstallLevel(organization, 'Plugin installation', settings)
    const newest = findNewestVersion(entry.row.url, tables)
    if (!newest) return this.#plugins.serialize(entry)
    return this.#plugins.save({ ...entry.row, latest_tag: tagFields(newest).latest_tag })
  }

  retrieveSource({ row }: TableEntry<PluginRow>, organization: OrganizationRow): SourceFiles {
    requireInstallLevel(organization, 'Plugin source editing', this.#world.settings)
    return row.source
  }

  updateSource({ row }: TableEntry<PluginRow>, changes: SourceFiles): SourceFiles {
    const after = { ...row, ...applySourceChanges(row, changes) }
    this.#plugins.save(after)
    return after.source
  }

  upgrade(entry: TableEntry<PluginRow>): JsonText<Plugin> {
    const { tables, settings } = this.#world
    const { row } = entry
    const effect = settings['plugins.upgrade.effect']
    const newest = findNewestVersion(row.url, tables)
    if (!newest || effect === 'nothing') return this.#plugins.serialize(entry)
    const tags = tagFields(newest)
    if (effect === 'tag_moves') return this.#plugins.save({ ...row, ...tags })
    const isLocal = row.plugin_type === 'source' || row.plugin_type === 'local'
    if (isLocal) return this.#plugins.serialize(entry)
    return this.#plugins.save({ ...row, ...contentFields(newest), ...tags })
  }

  listActivity(caller: ApiCaller, window: LimitOffset): Slice<ActivityEntry> {
    return listActivity(caller, this.#world.tables, window)
  }

  /** The plugin of the organization that was written last. @throws Failure `not_found` */
  lastChangedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const [last] = this.#own(organization).sort((a, b) => b.row.revision - a.row.revision)
    return this.#showOr404(last)
  }

  listExportConfigurations(organization: OrganizationRow): JsonText<PluginConfiguration>[] {
    const { tables } = this.#world
    return findExportConfigurations(organization, tables).map(({ config, plugin }) =>
      toJsonText(toConfiguration(config, plugin, tables)),
    )
  }

  /** The first plugin of the organization with an export configuration. @throws Failure `not_found` */
  firstExportingPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const found = findExportConfigurations(organization, this.#world.tables)
    const exporting = new Set(found.map(({ plugin }) => plugin.id))
    return this.#showOr404(this.#own(organization).find(({ row }) => exporting.has(row.id)))
  }

  listCatalogue(): JsonText<CatalogueEntry>[] {
    return listCatalogue(this.#world.tables).map(toJsonText)
  }

  /** The plugin of the organization whose url stands first in the catalogue. @throws Failure `not_found` */
  firstCataloguePlugin(organization: OrganizationRow): JsonText<Plugin> {
    const { tables } = this.#world
    const listed = this.#own(organization)
      .map((entry) => ({ entry, position: findCatalogueEntry(entry.row.url, tables)?.id }))
      .filter(({ position }) => position !== undefined)
      .sort((a, b) => Number(a.position) - Number(b.position))
    return this.#showOr404(listed[0]?.entry)
  }

  /** The ids of the plugins, of all organizations, that no configuration uses. */
  listUnusedIds(): JsonText<number>[] {
    const { tables } = this.#world
    const rows = [...tables.plugins.values()].filter((row) => isUnusedPlugin(row, tables))
    return rows.map(({ id }) => toJsonText(id))
  }

  /** The first plugin of the organization that no configuration uses. @throws Failure `not_found` */
  firstUnusedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const { tables } = this.#world
    return this.#showOr404(this.#own(organization).find(({ row }) => isUnusedPlugin(row, tables)))
  }

  #own({ id }: OrganizationRow): TableEntry<PluginRow>[] {
    return this.#world.tables.plugins.list(ownPluginIndexes(id)).slice(0, Infinity)
  }

  #showOr404(entry: TableEntry<PluginRow> | undefined): JsonText<Plugin> {
    if (!entry) throw new Failure('not_found')
    return this.#plugins.serialize(entry)
  }
}
