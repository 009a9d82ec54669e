import type { ApiCaller } from '../../http/endpoint.ts'
import { Failure, notFound } from '../../http/failures.ts'
import type { LimitOffset } from '../../http/parameters.ts'
import { isSafeMethod } from '../../http/url.ts'
import { type JsonText, toJsonText, withHead } from '../../utils/json.ts'
import { Slice } from '../../utils/json-page.ts'
import type {
  NewPlugin,
  Plugin,
  PluginChanges,
  PluginRow,
  SourceFiles,
} from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table.ts'
import {
  nextRevision,
  ownPluginIndexes,
  pluginIndex,
  visiblePluginIndexes,
} from '../../world/table/tables.ts'
import type { ApiContext } from '../context.ts'
import { type ActivityEntry, listActivity, recordActivity } from './activity-log.ts'
import {
  findExportConfigurations,
  isUnusedPlugin,
  type PluginConfiguration,
  toConfiguration,
} from './configurations.ts'
import {
  type CatalogueEntry,
  contentFields,
  createPluginRow,
  findCatalogueEntry,
  findNewestVersion,
  listCatalogue,
  tagFields,
} from './install.ts'
import { crashByPolicy, emptyPlugin, pluginLocation, serializePlugin } from './plugin.ts'
import { applySourceChanges, isPluginJson } from './source-files.ts'

export const accessLevels = { configure: 3, install: 6, root: 9 }

/** The operations on plugins, with the eight extra ones beside create, read, update and delete. */
export class Plugins {
  readonly #context: ApiContext

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** Requires level 3 to read, and level 6 for everything else. @throws Failure `permission_denied` */
  requireAccessLevel(organization: OrganizationRow, method: string): void {
    const level = isSafeMethod(method) ? 'configure' : 'install'
    const detail = "Your organization's plugin access level is insufficient."
    this.#requireLevel(organization, level, detail)
  }

  /** A page of the plugins that an organization sees, by id. */
  list({ id }: OrganizationRow, { limit, offset }: LimitOffset): Slice<Plugin> {
    const plugins = this.#context.tables.plugins.list(visiblePluginIndexes(id, this.#showsGlobal))
    const rows = plugins.slice(offset, limit).map((entry) => this.serialize(entry))
    return new Slice(rows, plugins.size, plugins.at(offset - 1)?.row.id)
  }

  isGlobalForAll(id = 0): boolean {
    return this.#context.tables.plugins.get(id)?.is_global === true && this.#showsGlobal
  }

  get #showsGlobal(): boolean {
    return this.#context.settings['plugins.global.visibility'] === 'every_organization'
  }

  /** Finds a plugin that an organization sees. @throws Failure `not_found` */
  findVisible({ id: parent }: OrganizationRow, id: number): TableEntry<PluginRow> {
    const entry = this.#context.tables.plugins.entry(id)
    const owner = entry?.row.organization
    const isVisible = owner === parent || this.isGlobalForAll(id)
    if (!entry || !isVisible) throw notFound({ id: 'row.missing', parent, owner })
    return entry
  }

  /** Finds a plugin that the organization owns. @throws Failure `not_found` */
  findOwn(organization: OrganizationRow, id: number): TableEntry<PluginRow> {
    const entry = this.findVisible(organization, id)
    const owner = entry.row.organization
    if (owner === organization.id) return entry
    throw notFound({ id: 'row.missing', parent: organization.id, owner })
  }

  /** Finds a plugin to change. @throws Failure `not_found`; `permission_denied` if another organization owns it */
  findToChange(
    organization: OrganizationRow,
    id: number,
    { user }: ApiCaller,
  ): TableEntry<PluginRow> {
    const entry = this.findVisible(organization, id)
    const owner = entry.row.organization
    if (owner === organization.id) return entry
    const managed = 'This plugin installation is managed by another organization'
    const detail = user.organizations.includes(owner) ? managed : undefined
    throw new Failure('permission_denied', detail, { because: { id: 'row.foreign' } })
  }

  create(organization: OrganizationRow, caller: ApiCaller, body: NewPlugin): JsonText<Plugin> {
    const { tables, settings, clock } = this.#context
    if (body.is_global === true) this.#requireLevel(organization, 'root')
    const row = createPluginRow(body, organization, tables, settings)
    const entry = tables.plugins.insert({ ...row, revision: nextRevision(tables) })
    recordActivity('installed', entry.row, caller, tables, clock)
    const text = this.serialize(entry)
    if (settings['headers.location'] === 'absent') return text
    return withHead(text, { headers: { location: pluginLocation(entry.row) } })
  }

  change(
    { row }: TableEntry<PluginRow>,
    organization: OrganizationRow,
    body: PluginChanges,
  ): JsonText<Plugin> {
    if (body.is_global !== undefined) this.#requireLevel(organization, 'root')
    return this.save({ ...row, ...body })
  }

  /** Deletes a plugin permanently, with its configurations. */
  remove({ row }: TableEntry<PluginRow>, caller: ApiCaller): undefined {
    const { tables, settings, clock } = this.#context
    if (row.is_global && settings['plugins.delete.global'] === 'refused') {
      throw new Failure(
        'validation_error',
        'This plugin is marked as global! Make it local before uninstallation',
        { because: { id: 'plugin.global' } },
      )
    }
    const configs = tables.plugin_configs.list([pluginIndex(row.id)]).toArray()
    for (const config of configs) tables.plugin_configs.remove(config.row.id)
    tables.plugins.remove(row.id)
    recordActivity('uninstalled', row, caller, tables, clock)
  }

  save(row: PluginRow): JsonText<Plugin> {
    const { tables } = this.#context
    return this.serialize(tables.plugins.replace({ ...row, revision: nextRevision(tables) }))
  }

  serialize(entry: TableEntry<PluginRow>): JsonText<Plugin> {
    return serializePlugin(entry, this.#context.tables)
  }

  /** Sets latest_tag to the newest version of the catalogue, if the plugin is in the catalogue. */
  checkForUpdates(entry: TableEntry<PluginRow>, organization: OrganizationRow): JsonText<Plugin> {
    const detail = 'Plugin installation is not available for the current organization!'
    this.#requireLevel(organization, 'install', detail)
    const { tables, settings } = this.#context
    if (entry.row.url === null) crashByPolicy('the plugin has no url', settings)
    const newest = findNewestVersion(entry.row.url, tables)
    if (!newest) return this.serialize(entry)
    return this.save({ ...entry.row, latest_tag: tagFields(newest).latest_tag })
  }

  retrieveSource({ row }: TableEntry<PluginRow>, organization: OrganizationRow): SourceFiles {
    const detail = 'Plugin source editing is not available for the current organization!'
    this.#requireLevel(organization, 'install', detail)
    return row.source
  }

  updateSource({ row }: TableEntry<PluginRow>, changes: SourceFiles): SourceFiles {
    const changed = { ...row, ...applySourceChanges(row, changes) }
    this.save(changed)
    if (!isPluginJson(changed.source))
      crashByPolicy('plugin.json is not JSON', this.#context.settings)
    return changed.source
  }

  upgrade(entry: TableEntry<PluginRow>): JsonText<Plugin> {
    const { tables, settings } = this.#context
    const { row } = entry
    const effect = settings['plugins.upgrade.effect']
    const newest = findNewestVersion(row.url, tables)
    if (!newest || effect === 'nothing') return this.serialize(entry)
    const tags = tagFields(newest)
    if (effect === 'tag_moves') return this.save({ ...row, ...tags })
    if (row.plugin_type === 'source' || row.plugin_type === 'local') return this.serialize(entry)
    return this.save({ ...row, ...contentFields(newest), ...tags })
  }

  listActivity(caller: ApiCaller, window: LimitOffset): Slice<ActivityEntry> {
    return listActivity(caller, this.#context.tables, window)
  }

  /** The plugin of the organization that was changed last. @throws Failure `not_found` */
  lastChangedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const [last] = this.#listOwn(organization).sort((a, b) => b.row.revision - a.row.revision)
    return this.#serializeIfAny(organization, last)
  }

  listExportConfigurations(organization: OrganizationRow): JsonText<PluginConfiguration>[] {
    const { tables } = this.#context
    return findExportConfigurations(organization, tables).map(({ config, plugin: entry }) =>
      toJsonText(toConfiguration(config, entry, tables)),
    )
  }

  /** The first plugin of the organization with an export configuration. @throws Failure `not_found` */
  firstExportingPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const configurations = findExportConfigurations(organization, this.#context.tables)
    const exporting = new Set(configurations.map(({ plugin: entry }) => entry.row.id))
    const first = this.#listOwn(organization).find(({ row }) => exporting.has(row.id))
    return this.#serializeIfAny(organization, first)
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
    return this.#serializeIfAny(organization, listed[0]?.entry)
  }

  /** The ids of the plugins of all organizations that no configuration uses. */
  listUnusedIds(): JsonText<number>[] {
    const { tables } = this.#context
    const plugins = [...tables.plugins.values()]
    return plugins.flatMap((row) => (isUnusedPlugin(row, tables) ? toJsonText(row.id) : []))
  }

  /** The first plugin of the organization that no configuration uses. @throws Failure `not_found` */
  firstUnusedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const { tables } = this.#context
    const first = this.#listOwn(organization).find(({ row }) => isUnusedPlugin(row, tables))
    return this.#serializeIfAny(organization, first)
  }

  /** @throws Failure `permission_denied` */
  #requireLevel(
    { plugins_access_level }: OrganizationRow,
    level: keyof typeof accessLevels,
    detail: string = "This organization can't manage global plugins!",
  ): void {
    if (this.#context.settings['plugins.access_level'] === 'ignored') return
    if (plugins_access_level >= accessLevels[level]) return
    const because = { id: 'access.level', level: plugins_access_level } as const
    throw new Failure('permission_denied', detail, { because })
  }

  #listOwn({ id }: OrganizationRow): TableEntry<PluginRow>[] {
    return this.#context.tables.plugins.list(ownPluginIndexes(id)).toArray()
  }

  /** Returns what the policy `plugins.extras.none` answers where there is no plugin. @throws Failure `not_found` */
  #serializeIfAny({ id, name }: OrganizationRow, entry?: TableEntry<PluginRow>): JsonText<Plugin> {
    if (entry) return this.serialize(entry)
    if (this.#context.settings['plugins.extras.none'] === 'not_found')
      throw notFound({ id: 'rows.none' })
    return toJsonText(emptyPlugin(id, name))
  }
}
