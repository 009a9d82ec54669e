import type { ApiCaller } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { LimitOffset } from '../../http/page.ts'
import { type JsonText, Slice } from '../../utils/json-text.ts'
import type { OrganizationRow, PluginRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import { pluginIndex, visiblePluginIndexes } from '../../world/table/tables.ts'
import type { ApiContext } from '../context.ts'
import { requireAccessLevel, requireRootLevel } from './access-level.ts'
import { recordActivity } from './activity-log.ts'
import { createPluginRow } from './install.ts'
import { type Plugin, serializePlugin } from './plugin.ts'
import type { NewPlugin, PluginChanges } from './plugin-body.ts'

/** Lists, finds, creates, changes and deletes plugins. */
export class Plugins {
  readonly #context: ApiContext

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** Checks the plugin access level of the organization. @throws Failure `permission_denied` */
  requireAccessLevel(organization: OrganizationRow, method: string): void {
    requireAccessLevel(organization, method, this.#context.settings)
  }

  /** A page of the plugins that an organization sees, by id. */
  list({ id }: OrganizationRow, { limit, offset }: LimitOffset): Slice<Plugin> {
    const { tables, settings } = this.#context
    const includesGlobal = settings['plugins.global.visibility'] === 'every_organization'
    const plugins = tables.plugins.list(visiblePluginIndexes(id, includesGlobal))
    const rows = plugins.slice(offset, limit)
    return new Slice(
      rows.map((entry) => this.serialize(entry)),
      plugins.size,
    )
  }

  /** Finds a plugin that an organization sees. @throws Failure `not_found` */
  findVisible({ id: organization }: OrganizationRow, id: number): TableEntry<PluginRow> {
    const { tables, settings } = this.#context
    const entry = tables.plugins.entry(id)
    const includesGlobal = settings['plugins.global.visibility'] === 'every_organization'
    const isVisible =
      entry?.row.organization === organization || (includesGlobal && entry?.row.is_global === true)
    if (!entry || !isVisible) throw new Failure('not_found')
    return entry
  }

  /** Finds a plugin that the organization owns. @throws Failure `not_found` */
  findOwn(organization: OrganizationRow, id: number): TableEntry<PluginRow> {
    const entry = this.findVisible(organization, id)
    if (entry.row.organization !== organization.id) throw new Failure('not_found')
    return entry
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
    throw new Failure('permission_denied', user.organizations.includes(owner) ? managed : undefined)
  }

  create(organization: OrganizationRow, caller: ApiCaller, body: NewPlugin): JsonText<Plugin> {
    const { tables, settings, clock } = this.#context
    if (body.is_global === true) requireRootLevel(organization, settings)
    const row = createPluginRow(body, organization, tables, settings)
    const entry = tables.plugins.insert({
      ...row,
      id: tables.plugins.nextId,
      revision: this.#nextRevision(),
    })
    recordActivity('installed', entry.row, caller, tables, clock)
    return this.serialize(entry)
  }

  /** Changes the fields of the body. */
  change(
    { row }: TableEntry<PluginRow>,
    organization: OrganizationRow,
    body: PluginChanges,
  ): JsonText<Plugin> {
    if (body.is_global !== undefined) requireRootLevel(organization, this.#context.settings)
    return this.save({ ...row, ...body })
  }

  /** Deletes a plugin permanently, with its configurations. */
  remove({ row }: TableEntry<PluginRow>, caller: ApiCaller): undefined {
    const { tables, settings, clock } = this.#context
    if (row.is_global && settings['plugins.delete.global'] === 'refused') {
      throw new Failure(
        'validation_error',
        'This plugin is marked as global! Make it local before uninstallation',
      )
    }
    const configs = tables.plugin_configs.list([pluginIndex(row.id)])
    for (const config of configs.slice(0, Infinity)) {
      tables.plugin_configs.remove(config.row.id)
    }
    tables.plugins.remove(row.id)
    recordActivity('uninstalled', row, caller, tables, clock)
  }

  /** Saves a changed plugin. */
  save(row: PluginRow): JsonText<Plugin> {
    return this.serialize(
      this.#context.tables.plugins.replace({ ...row, revision: this.#nextRevision() }),
    )
  }

  serialize(entry: TableEntry<PluginRow>): JsonText<Plugin> {
    return serializePlugin(entry, this.#context.tables)
  }

  #nextRevision(): number {
    this.#context.tables.pluginRevision += 1
    return this.#context.tables.pluginRevision
  }
}
