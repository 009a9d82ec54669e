import type { ApiCaller } from '../../http/authenticate.ts'
import { Failure } from '../../http/failures.ts'
import type { LimitOffset } from '../../http/page.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { type JsonText, Slice } from '../../utils/json-text.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { OrganizationRow, PluginRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/entry.ts'
import type { Tables } from '../../world/table/tables.ts'
import { pluginIndex, visiblePluginIndexes } from '../../world/table/tables.ts'
import { requireAccessLevel, requireRootLevel } from './access-level.ts'
import { recordActivity } from './activity-log.ts'
import { createPluginRow } from './install.ts'
import type { Plugin } from './plugin.ts'
import { serializePlugin } from './plugin.ts'
import type { NewPlugin, PluginChanges } from './plugin-body.ts'

/** What plugins live in. The tables are another object after a reset or a restore. */
export interface PluginsContext {
  readonly tables: Tables
  readonly settings: PolicySettings
  readonly clock: Clock
}

/** What listing, creating, changing and deleting plugins means (observed §5). */
export class Plugins {
  readonly #world: PluginsContext

  constructor(world: PluginsContext) {
    this.#world = world
  }

  /** Lets a method in, or not. @throws Failure `permission_denied` below the access level it asks for */
  requireAccessLevel(organization: OrganizationRow, method: string): void {
    requireAccessLevel(organization, method, this.#world.settings)
  }

  /** A part of the plugins that an organization sees, by id. */
  list({ id }: OrganizationRow, { limit, offset }: LimitOffset): Slice<Plugin> {
    const { tables, settings } = this.#world
    const everyones = settings['plugins.global.visibility'] === 'every_organization'
    const found = tables.plugins.list(visiblePluginIndexes(id, everyones))
    const rows = found.slice(offset, limit)
    return new Slice(
      rows.map((entry) => this.serialize(entry)),
      found.size,
    )
  }

  /** One that an organization sees. @throws Failure `not_found` */
  findVisible({ id: organization }: OrganizationRow, id: number): TableEntry<PluginRow> {
    const { tables, settings } = this.#world
    const entry = tables.plugins.entry(id)
    const everyones = settings['plugins.global.visibility'] === 'every_organization'
    const isSeen =
      entry?.row.organization === organization || (everyones && entry?.row.is_global === true)
    if (!entry || !isSeen) throw new Failure('not_found')
    return entry
  }

  /** One that belongs to the organization. @throws Failure `not_found` */
  findOwn(organization: OrganizationRow, id: number): TableEntry<PluginRow> {
    const entry = this.findVisible(organization, id)
    if (entry.row.organization !== organization.id) throw new Failure('not_found')
    return entry
  }

  /** One to change. @throws Failure `not_found`; `permission_denied` for one that another organization owns (observed §5.4) */
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
    const { tables, settings, clock } = this.#world
    if (body.is_global === true) requireRootLevel(organization, settings)
    const row = createPluginRow(body, organization, tables, settings)
    const entry = tables.plugins.insert({
      ...row,
      id: tables.plugins.nextId,
      revision: this.#next(),
    })
    recordActivity('installed', entry.row, caller, tables, clock)
    return this.serialize(entry)
  }

  /** Changes what is given. */
  change(
    { row }: TableEntry<PluginRow>,
    organization: OrganizationRow,
    body: PluginChanges,
  ): JsonText<Plugin> {
    if (body.is_global !== undefined) requireRootLevel(organization, this.#world.settings)
    return this.save({ ...row, ...body })
  }

  /** Removes it for good, with its configurations (observed §5.5). */
  remove({ row }: TableEntry<PluginRow>, caller: ApiCaller): undefined {
    const { tables, settings, clock } = this.#world
    if (row.is_global && settings['plugins.delete.global'] === 'refused') {
      throw new Failure(
        'validation_error',
        'This plugin is marked as global! Make it local before uninstallation',
      )
    }
    const configs = tables.plugin_configs.list([pluginIndex(row.id)])
    for (const config of configs.slice(0, Number.POSITIVE_INFINITY)) {
      tables.plugin_configs.remove(config.row.id)
    }
    tables.plugins.remove(row.id)
    recordActivity('uninstalled', row, caller, tables, clock)
  }

  /** Writes a plugin that has changed. */
  save(row: PluginRow): JsonText<Plugin> {
    return this.serialize(this.#world.tables.plugins.replace({ ...row, revision: this.#next() }))
  }

  serialize(entry: TableEntry<PluginRow>): JsonText<Plugin> {
    return serializePlugin(entry, this.#world.tables)
  }

  #next(): number {
    this.#world.tables.pluginRevision += 1
    return this.#world.tables.pluginRevision
  }
}
