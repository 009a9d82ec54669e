import type { ApiCaller } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { LimitOffset } from '../../http/page.ts'
import { type JsonText, type Slice, toJsonText } from '../../utils/json-text.ts'
import type { OrganizationRow, PluginRow, SourceFiles } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import { ownPluginIndexes } from '../../world/table/tables.ts'
import type { ApiContext } from '../context.ts'
import { requireInstallLevel } from './access-level.ts'
import { type ActivityEntry, listActivity } from './activity-log.ts'
import {
  findExportConfigurations,
  isUnusedPlugin,
  type PluginConfiguration,
  toConfiguration,
} from './configurations.ts'
import {
  type CatalogueEntry,
  contentFields,
  findCatalogueEntry,
  findNewestVersion,
  listCatalogue,
  tagFields,
} from './install.ts'
import type { Plugin } from './plugin.ts'
import { applySourceChanges } from './plugin-body.ts'
import type { Plugins } from './plugins.ts'

/** The eight extra operations on plugins, beside create, read, update and delete. */
export class PluginExtras {
  readonly #context: ApiContext
  readonly #plugins: Plugins

  constructor(context: ApiContext, plugins: Plugins) {
    this.#context = context
    this.#plugins = plugins
  }

  /** Sets latest_tag to the newest version of the catalogue, if the plugin is in the catalogue. */
  checkForUpdates(entry: TableEntry<PluginRow>, organization: OrganizationRow): JsonText<Plugin> {
    const { tables, settings } = this.#context
    requireInstallLevel(organization, 'Plugin installation', settings)
    const newest = findNewestVersion(entry.row.url, tables)
    if (!newest) return this.#plugins.serialize(entry)
    return this.#plugins.save({ ...entry.row, latest_tag: tagFields(newest).latest_tag })
  }

  retrieveSource({ row }: TableEntry<PluginRow>, organization: OrganizationRow): SourceFiles {
    requireInstallLevel(organization, 'Plugin source editing', this.#context.settings)
    return row.source
  }

  updateSource({ row }: TableEntry<PluginRow>, changes: SourceFiles): SourceFiles {
    const changed = { ...row, ...applySourceChanges(row, changes) }
    this.#plugins.save(changed)
    return changed.source
  }

  upgrade(entry: TableEntry<PluginRow>): JsonText<Plugin> {
    const { tables, settings } = this.#context
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
    return listActivity(caller, this.#context.tables, window)
  }

  /** The plugin of the organization that was changed last. @throws Failure `not_found` */
  lastChangedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const [last] = this.#listOwn(organization).sort((a, b) => b.row.revision - a.row.revision)
    return this.#serializeOr404(last)
  }

  listExportConfigurations(organization: OrganizationRow): JsonText<PluginConfiguration>[] {
    const { tables } = this.#context
    return findExportConfigurations(organization, tables).map(({ config, plugin }) =>
      toJsonText(toConfiguration(config, plugin, tables)),
    )
  }

  /** The first plugin of the organization with an export configuration. @throws Failure `not_found` */
  firstExportingPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const configurations = findExportConfigurations(organization, this.#context.tables)
    const exporting = new Set(configurations.map(({ plugin }) => plugin.id))
    return this.#serializeOr404(
      this.#listOwn(organization).find(({ row }) => exporting.has(row.id)),
    )
  }

  listCatalogue(): JsonText<CatalogueEntry>[] {
    return listCatalogue(this.#context.tables).map(toJsonText)
  }

  /** The plugin of the organization that comes first in the catalogue. @throws Failure `not_found` */
  firstCataloguePlugin(organization: OrganizationRow): JsonText<Plugin> {
    const { tables } = this.#context
    const listed = this.#listOwn(organization)
      .map((entry) => ({ entry, position: findCatalogueEntry(entry.row.url, tables)?.id }))
      .filter(({ position }) => position !== undefined)
      .sort((a, b) => Number(a.position) - Number(b.position))
    return this.#serializeOr404(listed[0]?.entry)
  }

  /** The ids of the plugins of all organizations that no configuration uses. */
  listUnusedIds(): JsonText<number>[] {
    const { tables } = this.#context
    const rows = [...tables.plugins.values()].filter((row) => isUnusedPlugin(row, tables))
    return rows.map(({ id }) => toJsonText(id))
  }

  /** The first plugin of the organization that no configuration uses. @throws Failure `not_found` */
  firstUnusedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const { tables } = this.#context
    return this.#serializeOr404(
      this.#listOwn(organization).find(({ row }) => isUnusedPlugin(row, tables)),
    )
  }

  #listOwn({ id }: OrganizationRow): TableEntry<PluginRow>[] {
    return this.#context.tables.plugins.list(ownPluginIndexes(id)).slice(0, Infinity)
  }

  #serializeOr404(entry: TableEntry<PluginRow> | undefined): JsonText<Plugin> {
    if (!entry) throw new Failure('not_found')
    return this.#plugins.serialize(entry)
  }
}
