import type { ApiCaller, ApiContext } from '../../http/endpoint.ts'
import { Failure, notFound } from '../../http/failures.ts'
import { isSafeMethod } from '../../http/messages.ts'
import { type JsonPage, type LinkedWindow, toPage } from '../../http/pages.ts'
import { JsonText } from '../../utils/json.ts'
import type {
  NewPlugin,
  Plugin,
  PluginChanges,
  PluginRow,
  SourceFiles,
} from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { orderedRows } from '../../world/table.ts'
import { nextRevision } from '../../world/tables.ts'
import { recordActivity } from './activity-log.ts'
import { createPluginRow, fieldsOfVersion, findNewestVersion, tagFields } from './install.ts'
import { crashed, pluginLocation, writePlugin } from './plugin.ts'
import { applySourceChanges, isPluginJson } from './source-files.ts'

const accessLevels = { configure: 3, install: 6, root: 9 }

/** Requires level 3 to read, and level 6 for everything else. @throws Failure `permission_denied` */
export function requireAccessLevel(
  { organization, method }: { readonly organization: OrganizationRow; readonly method: string },
  context: ApiContext,
): void {
  const level = isSafeMethod(method) ? 'configure' : 'install'
  requireLevel(
    organization,
    level,
    context,
    "Your organization's plugin access level is insufficient.",
  )
}

function hasLevel(
  { plugins_access_level }: OrganizationRow,
  level: keyof typeof accessLevels,
  { settings }: ApiContext,
): boolean {
  return (
    settings['plugins.access_level'] === 'ignored' || plugins_access_level >= accessLevels[level]
  )
}

/** @throws Failure `permission_denied` */
function requireLevel(
  organization: OrganizationRow,
  level: keyof typeof accessLevels,
  context: ApiContext,
  detail: string = "This organization can't manage global plugins!",
): void {
  if (hasLevel(organization, level, context)) return
  const { plugins_access_level } = organization
  const { configure, install, root } = accessLevels
  throw new Failure('permission_denied', detail, {
    check: 'membership',
    reason: () =>
      `the plugins_access_level of the organization is ${plugins_access_level}; reading requires ${configure}, writing ${install}, is_global ${root}`,
  })
}

/** A page of the plugins that an organization sees, by id. */
export function pageOfPlugins(
  { id }: OrganizationRow,
  window: LinkedWindow,
  context: ApiContext,
): JsonPage {
  const showsGlobal = isShownToAll(context)
  const plugins = [...context.tables.plugins.values()].filter(
    (row) => row.organization === id || (row.is_global && showsGlobal),
  )
  return toPage(orderedRows(plugins), window, writePlugin(context))
}

function isShownToAll({ settings }: ApiContext): boolean {
  return settings['plugins.global.visibility'] === 'every_organization'
}

export function isGlobalForAll(id: number | undefined, context: ApiContext): boolean {
  return context.tables.plugins.get(id ?? 0)?.is_global === true && isShownToAll(context)
}

/** The input of an operation on the plugin of a path. */
interface PluginInput {
  readonly organization: OrganizationRow
  readonly params: { readonly id: number }
}

/** Finds the plugin of the path among those that the organization sees. @throws Failure `not_found` */
export function findVisiblePlugin(
  { organization, params: { id } }: PluginInput,
  context: ApiContext,
): PluginRow {
  const row = context.tables.plugins.get(id)
  const isVisible = row?.organization === organization.id || isGlobalForAll(id, context)
  if (row && isVisible) return row
  throw pluginNotFound(organization, id, context, row)
}

/** Finds the plugin of the path among those that the organization owns. @throws Failure `not_found` */
export function findOwnPlugin(input: PluginInput, context: ApiContext): PluginRow {
  const { organization } = input
  const row = findVisiblePlugin(input, context)
  if (row.organization === organization.id) return row
  throw pluginNotFound(organization, row.id, context, row)
}

function pluginNotFound(
  { name }: OrganizationRow,
  id: number,
  { tables }: ApiContext,
  row?: PluginRow,
): Failure {
  return notFound(() => {
    const owner = row && (tables.organizations.get(row.organization)?.name ?? row.organization)
    return `no plugin ${id} in organization ${name}${owner ? ` (it belongs to organization ${owner})` : ''}`
  })
}

/** Finds the plugin of the path. @throws Failure `not_found`; `permission_denied` if another organization owns it */
export function findPluginToChange(
  input: PluginInput & { readonly caller: ApiCaller },
  context: ApiContext,
): PluginRow {
  const { organization, caller } = input
  const row = findVisiblePlugin(input, context)
  if (row.organization === organization.id) return row
  const managed = 'This plugin installation is managed by another organization'
  const detail = caller.user.organizations.includes(row.organization) ? managed : undefined
  throw new Failure('permission_denied', detail, {
    check: 'row',
    reason: () => `plugin ${row.id} belongs to another organization`,
  })
}

export function addPlugin(
  organization: OrganizationRow,
  caller: ApiCaller,
  body: NewPlugin,
  context: ApiContext,
): JsonText<Plugin> {
  const { tables, settings, clock } = context
  if (body.is_global === true) requireLevel(organization, 'root', context)
  const row = createPluginRow(body, organization, tables, settings)
  const inserted = tables.plugins.put({ ...row, revision: nextRevision(tables) })
  recordActivity('installed', inserted, caller, tables, clock)
  const sent = writePlugin(context)(inserted)
  if (settings['headers.location'] === 'absent') return sent
  return new JsonText(sent.text, { location: pluginLocation(inserted) })
}

export function changePlugin(
  row: PluginRow,
  organization: OrganizationRow,
  body: PluginChanges,
  context: ApiContext,
): JsonText<Plugin> {
  if (body.is_global !== undefined) requireLevel(organization, 'root', context)
  return save({ ...row, ...body }, context)
}

function save(row: PluginRow, context: ApiContext): JsonText<Plugin> {
  const { tables } = context
  return writePlugin(context)(tables.plugins.put({ ...row, revision: nextRevision(tables) }))
}

/** Deletes a plugin permanently, with its configurations. */
export function removePlugin(
  row: PluginRow,
  organization: OrganizationRow,
  caller: ApiCaller,
  context: ApiContext,
): undefined {
  const { tables, settings, clock } = context
  if (row.is_global && settings['plugins.delete.global'] === 'refused') {
    throw refusedGlobal(organization, context)
  }
  const configs = [...tables.plugin_configs.values()].filter(({ plugin }) => plugin === row.id)
  for (const { id } of configs) tables.plugin_configs.remove(id)
  tables.plugins.remove(row.id)
  recordActivity('uninstalled', row, caller, tables, clock)
}

/** The failure of a DELETE. It advises to make the plugin local, if the organization may. */
function refusedGlobal(organization: OrganizationRow, context: ApiContext): Failure {
  const { plugins_access_level: level } = organization
  const mayChange = hasLevel(organization, 'root', context)
  const cure = mayChange
    ? '; send PATCH with {"is_global": false} first'
    : `, and to make it local requires plugins_access_level ${accessLevels.root}, not ${level}`
  const detail = 'This plugin is marked as global! Make it local before uninstallation'
  return new Failure('validation_error', detail, {
    check: 'row',
    reason: () => `a global plugin cannot be deleted${cure}`,
    ...(mayChange && { instead: { method: 'PATCH', fields: { is_global: false } } }),
  })
}

/** Sets latest_tag to the newest version of the catalogue, if the plugin is in the catalogue. */
export function checkForUpdates(
  row: PluginRow,
  organization: OrganizationRow,
  context: ApiContext,
): JsonText<Plugin> {
  const detail = 'Plugin installation is not available for the current organization!'
  requireLevel(organization, 'install', context, detail)
  const { tables, settings } = context
  if (row.url === null && settings['plugins.other.body'] !== 'plugin') {
    throw crashed('the plugin has no url')
  }
  const newest = findNewestVersion(row.url, tables)
  if (!newest) return writePlugin(context)(row)
  return save({ ...row, latest_tag: tagFields(newest).latest_tag }, context)
}

export function readSource(
  row: PluginRow,
  organization: OrganizationRow,
  context: ApiContext,
): SourceFiles {
  const detail = 'Plugin source editing is not available for the current organization!'
  requireLevel(organization, 'install', context, detail)
  return row.source
}

export function changeSource(
  row: PluginRow,
  changes: SourceFiles,
  context: ApiContext,
): SourceFiles {
  const changed = { ...row, ...applySourceChanges(row, changes) }
  save(changed, context)
  if (!isPluginJson(changed.source)) throw crashed('plugin.json is not JSON')
  return changed.source
}

/** Upgrades to the newest version of the catalogue, as far as the setting `plugins.upgrade.effect` says. */
export function upgradeToNewest(row: PluginRow, context: ApiContext): JsonText<Plugin> {
  const { tables, settings } = context
  const effect = settings['plugins.upgrade.effect']
  const newest = findNewestVersion(row.url, tables)
  const isKept = effect === 'reinstall' && ['source', 'local'].includes(row.plugin_type ?? '')
  if (!newest || effect === 'nothing' || isKept) return writePlugin(context)(row)
  const content = effect === 'reinstall' && fieldsOfVersion(newest)
  return save({ ...row, ...content, ...tagFields(newest) }, context)
}
