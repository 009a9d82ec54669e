import type { ApiCaller } from '../../http/endpoint.ts'
import { Failure, notFound } from '../../http/failures.ts'
import { type LimitOffset, type Slice, sliceOrdered } from '../../http/parameters.ts'
import { isSafeMethod } from '../../http/url.ts'
import { JsonText, toJsonText } from '../../utils/json.ts'
import type {
  NewPlugin,
  Plugin,
  PluginChanges,
  PluginRow,
  SourceFiles,
} from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { orderedRows } from '../../world/sorted-list.ts'
import { nextRevision } from '../../world/tables.ts'
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
  pluginsOf,
  tagFields,
} from './install.ts'
import { crashBySetting, emptyPlugin, pluginLocation, writePlugin } from './plugin.ts'
import { applySourceChanges, isPluginJson } from './source-files.ts'

const accessLevels = { configure: 3, install: 6, root: 9 }

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
  list({ id }: OrganizationRow, window: LimitOffset): Slice<Plugin> {
    const showsGlobal = this.#showsGlobal
    const plugins = [...this.#context.tables.plugins.values()].filter(
      (row) => row.organization === id || (row.is_global && showsGlobal),
    )
    return sliceOrdered(orderedRows(plugins), window, writePlugin(this.#context))
  }

  isGlobalForAll(id = 0): boolean {
    return this.#context.tables.plugins.get(id)?.is_global === true && this.#showsGlobal
  }

  get #showsGlobal(): boolean {
    return this.#context.settings['plugins.global.visibility'] === 'every_organization'
  }

  /** Finds a plugin that an organization sees. @throws Failure `not_found` */
  findVisible(organization: OrganizationRow, id: number): PluginRow {
    const row = this.#context.tables.plugins.get(id)
    const isVisible = row?.organization === organization.id || this.isGlobalForAll(id)
    if (row && isVisible) return row
    throw this.#missing(organization, id, row)
  }

  /** Finds a plugin that the organization owns. @throws Failure `not_found` */
  findOwn(organization: OrganizationRow, id: number): PluginRow {
    const row = this.findVisible(organization, id)
    if (row.organization === organization.id) return row
    throw this.#missing(organization, id, row)
  }

  #missing({ name }: OrganizationRow, id: number, row?: PluginRow): Failure {
    const { organizations } = this.#context.tables
    return notFound(() => {
      const owner = row && (organizations.get(row.organization)?.name ?? row.organization)
      return `no plugin ${id} in organization ${name}${owner ? ` (it belongs to organization ${owner})` : ''}`
    })
  }

  /** Finds a plugin to change. @throws Failure `not_found`; `permission_denied` if another organization owns it */
  findToChange(organization: OrganizationRow, id: number, { user }: ApiCaller): PluginRow {
    const row = this.findVisible(organization, id)
    const owner = row.organization
    if (owner === organization.id) return row
    const managed = 'This plugin installation is managed by another organization'
    const detail = user.organizations.includes(owner) ? managed : undefined
    throw new Failure('permission_denied', detail, {
      check: 'row',
      reason: () => `plugin ${id} belongs to another organization`,
    })
  }

  create(organization: OrganizationRow, caller: ApiCaller, body: NewPlugin): JsonText<Plugin> {
    const { tables, settings, clock } = this.#context
    if (body.is_global === true) this.#requireLevel(organization, 'root')
    const row = createPluginRow(body, organization, tables, settings)
    const inserted = tables.plugins.put({ ...row, revision: nextRevision(tables) })
    recordActivity('installed', inserted, caller, tables, clock)
    const sent = this.serialize(inserted)
    if (settings['headers.location'] === 'absent') return sent
    return new JsonText(sent.text, { location: pluginLocation(inserted) })
  }

  change(row: PluginRow, organization: OrganizationRow, body: PluginChanges): JsonText<Plugin> {
    if (body.is_global !== undefined) this.#requireLevel(organization, 'root')
    return this.save({ ...row, ...body })
  }

  /** Deletes a plugin permanently, with its configurations. */
  remove(row: PluginRow, caller: ApiCaller): undefined {
    const { tables, settings, clock } = this.#context
    if (row.is_global && settings['plugins.delete.global'] === 'refused') {
      throw new Failure(
        'validation_error',
        'This plugin is marked as global! Make it local before uninstallation',
        {
          check: 'row',
          reason: () =>
            'a global plugin cannot be deleted; send PATCH with {"is_global": false} first',
          instead: { method: 'PATCH', fields: { is_global: false } },
        },
      )
    }
    const configs = [...tables.plugin_configs.values()].filter(({ plugin }) => plugin === row.id)
    for (const { id } of configs) tables.plugin_configs.remove(id)
    tables.plugins.remove(row.id)
    recordActivity('uninstalled', row, caller, tables, clock)
  }

  save(row: PluginRow): JsonText<Plugin> {
    const { tables } = this.#context
    return this.serialize(tables.plugins.put({ ...row, revision: nextRevision(tables) }))
  }

  serialize(row: PluginRow): JsonText<Plugin> {
    return writePlugin(this.#context)(row)
  }

  /** Sets latest_tag to the newest version of the catalogue, if the plugin is in the catalogue. */
  checkForUpdates(row: PluginRow, organization: OrganizationRow): JsonText<Plugin> {
    const detail = 'Plugin installation is not available for the current organization!'
    this.#requireLevel(organization, 'install', detail)
    const { tables, settings } = this.#context
    if (row.url === null) crashBySetting('the plugin has no url', settings)
    const newest = findNewestVersion(row.url, tables)
    if (!newest) return this.serialize(row)
    return this.save({ ...row, latest_tag: tagFields(newest).latest_tag })
  }

  retrieveSource(row: PluginRow, organization: OrganizationRow): SourceFiles {
    const detail = 'Plugin source editing is not available for the current organization!'
    this.#requireLevel(organization, 'install', detail)
    return row.source
  }

  updateSource(row: PluginRow, changes: SourceFiles): SourceFiles {
    const changed = { ...row, ...applySourceChanges(row, changes) }
    this.save(changed)
    if (!isPluginJson(changed.source))
      crashBySetting('plugin.json is not JSON', this.#context.settings)
    return changed.source
  }

  upgrade(row: PluginRow): JsonText<Plugin> {
    const { tables, settings } = this.#context
    const effect = settings['plugins.upgrade.effect']
    const newest = findNewestVersion(row.url, tables)
    if (!newest || effect === 'nothing') return this.serialize(row)
    const tags = tagFields(newest)
    if (effect === 'tag_moves') return this.save({ ...row, ...tags })
    if (row.plugin_type === 'source' || row.plugin_type === 'local') return this.serialize(row)
    return this.save({ ...row, ...contentFields(newest), ...tags })
  }

  listActivity(caller: ApiCaller, window: LimitOffset): Slice<ActivityEntry> {
    return listActivity(caller, this.#context.tables, window)
  }

  /** The plugin of the organization that was changed last. @throws Failure `not_found` */
  lastChangedPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const [last] = this.#listOwn(organization).sort((a, b) => b.revision - a.revision)
    return this.#serializeIfAny(organization, last)
  }

  listExportConfigurations(organization: OrganizationRow): JsonText<PluginConfiguration>[] {
    const { tables } = this.#context
    return findExportConfigurations(organization, tables).map(({ config, plugin: row }) =>
      toJsonText(toConfiguration(config, row, this.#context)),
    )
  }

  /** The first plugin of the organization with an export configuration. @throws Failure `not_found` */
  firstExportingPlugin(organization: OrganizationRow): JsonText<Plugin> {
    const configurations = findExportConfigurations(organization, this.#context.tables)
    const exporting = new Set(configurations.map(({ plugin: row }) => row.id))
    const first = this.#listOwn(organization).find(({ id }) => exporting.has(id))
    return this.#serializeIfAny(organization, first, 'that exports data')
  }

  listCatalogue(): JsonText<CatalogueEntry>[] {
    return listCatalogue(this.#context.tables).map(toJsonText)
  }

  /** The plugin of the organization that comes first in the catalogue. @throws Failure `not_found` */
  firstCataloguePlugin(organization: OrganizationRow): JsonText<Plugin> {
    const { tables } = this.#context
    const listed = this.#listOwn(organization)
      .map((row) => ({ row, position: findCatalogueEntry(row.url, tables)?.id }))
      .filter(({ position }) => position !== undefined)
      .sort((a, b) => Number(a.position) - Number(b.position))
    return this.#serializeIfAny(organization, listed[0]?.row, 'that is in the repository')
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
    const first = this.#listOwn(organization).find((row) => isUnusedPlugin(row, tables))
    return this.#serializeIfAny(organization, first, 'that no project uses')
  }

  /** @throws Failure `permission_denied` */
  #requireLevel(
    { plugins_access_level }: OrganizationRow,
    level: keyof typeof accessLevels,
    detail: string = "This organization can't manage global plugins!",
  ): void {
    if (this.#context.settings['plugins.access_level'] === 'ignored') return
    if (plugins_access_level >= accessLevels[level]) return
    const { configure, install, root } = accessLevels
    throw new Failure('permission_denied', detail, {
      check: 'membership',
      reason: () =>
        `the plugins_access_level of the organization is ${plugins_access_level}; reading requires ${configure}, writing ${install}, is_global ${root}`,
    })
  }

  #listOwn({ id }: OrganizationRow): PluginRow[] {
    return pluginsOf(id, this.#context.tables)
  }

  /** Returns what the setting `plugins.extras.none` answers where there is no plugin. @throws Failure `not_found` */
  #serializeIfAny(
    { id, name }: OrganizationRow,
    row: PluginRow | undefined,
    which = 'at all',
  ): JsonText<Plugin> {
    if (row) return this.serialize(row)
    if (this.#context.settings['plugins.extras.none'] === 'not_found')
      throw notFound(() => `the organization has no plugin ${which}`, 'fields')
    return toJsonText(emptyPlugin(id, name))
  }
}
