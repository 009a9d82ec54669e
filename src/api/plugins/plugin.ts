import type { ApiCaller, ApiContext, ScopeRule } from '../../http/endpoint.ts'
import { Failure, notFound } from '../../http/failures.ts'
import {
  anyText,
  type BodySchema,
  bodyOf,
  responseShape,
  type Shape,
} from '../../http/fields/body-fields.ts'
import { integerIdParameter, parentParameter } from '../../http/input.ts'
import { isSafeMethod } from '../../http/messages.ts'
import { type CreateRowWriter, createRowWriter } from '../../http/written-rows.ts'
import { type Choices, perSetting } from '../../settings/setting.ts'
import type { JsonText } from '../../utils/json.ts'
import type { Field } from '../../world/entities/field.ts'
import {
  type NewPlugin,
  type Plugin,
  type PluginChanges,
  type PluginRow,
  plugin,
} from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { nextRevision, type Tables } from '../../world/tables.ts'

export const pluginShape: Shape<Plugin> = responseShape(plugin)

export const pluginChanges: BodySchema<PluginChanges> = bodyOf(plugin)

export const newPlugin: BodySchema<NewPlugin> = bodyOf(
  plugin,
  {
    url: perSetting('plugins.create.install', {
      stored_as_given: { field: plugin.fields.url, isIgnored: true },
      from_url: { field: plugin.fields.url },
    }),
  },
  perSetting('plugins.create.required', { none: [], name: ['name'], url: ['url'] }),
)

export function otherScope(plugin_scopes: ScopeRule): Choices<ScopeRule> {
  return perSetting('plugins.other.scope', {
    plugin_scopes,
    any_key: 'any_key',
    refused: 'refused',
  })
}

/** What an other operation has by the setting `plugins.other.body`. */
export function byBody<P, O>(plugin: P, specific: O): Choices<P | O> {
  return perSetting('plugins.other.body', { plugin, specific })
}

/** `/api/organizations/:organization_id/plugins` */
export const organizationParams = {
  organization_id: parentParameter('Identifies the organization.', anyText),
}

/** `/api/organizations/:organization_id/plugins/:id` */
export const pluginParams = {
  ...organizationParams,
  id: integerIdParameter('Identifies the plugin.'),
}

export const pluginWriter: CreateRowWriter<PluginRow, Plugin> = createRowWriter(plugin)

export function savePlugin(row: PluginRow, context: ApiContext): JsonText<Plugin> {
  const { tables } = context
  return pluginWriter(context).writer.write(
    tables.plugins.put({ ...row, revision: nextRevision(tables) }),
  )
}

export function changePlugin(
  row: PluginRow,
  organization: OrganizationRow,
  body: PluginChanges,
  context: ApiContext,
): JsonText<Plugin> {
  if (body.is_global !== undefined) requireLevel(organization, 'root', context)
  return savePlugin({ ...row, ...body }, context)
}

/** Truncates a text to the length of a field in code points, the unit in which the live service counts lengths. */
export function truncate(text: string, { max }: Pick<Field, 'max'>): string {
  return Array.from(text).slice(0, max).join('')
}

/**
 * The failure for input that crashes the live service.
 *
 * @param input what crashes it, such as `the plugin has no url`
 * @param cure the fields of a body that does not
 */
export function crashed(input: string, cure?: object): Failure {
  return new Failure('server_error', undefined, {
    reason: () => `${input}; the live service crashes`,
    ...(cure && { instead: { fields: cure } }),
  })
}

const accessLevels = { configure: 3, install: 6, root: 9 }

/** Requires level 3 to read, and level 6 for everything else. @throws Failure `permission_denied` */
export function requireAccessLevel(
  { organization, method }: { readonly organization: OrganizationRow; readonly method: string },
  context: ApiContext,
): void {
  const level = isSafeMethod(method) ? 'configure' : 'install'
  const detail = "Your organization's plugin access level is insufficient."
  requireLevel(organization, level, context, detail)
}

export function hasLevel(
  { plugins_access_level }: OrganizationRow,
  level: keyof typeof accessLevels,
  { settings }: ApiContext,
): boolean {
  return (
    settings['plugins.access_level'] === 'ignored' || plugins_access_level >= accessLevels[level]
  )
}

/** @throws Failure `permission_denied` */
export function requireLevel(
  organization: OrganizationRow,
  level: keyof typeof accessLevels,
  context: ApiContext,
  detail: string = "This organization can't manage global plugins!",
): void {
  if (hasLevel(organization, level, context)) return
  throw new Failure('permission_denied', detail, {
    check: 'membership',
    reason: () =>
      `the plugins_access_level of the organization is ${organization.plugins_access_level}, and ${level === 'root' ? 'is_global' : 'this'} requires ${accessLevels[level]}`,
  })
}

export function pluginsOf(organization: string, { plugins }: Tables): PluginRow[] {
  return [...plugins.values()].filter((row) => row.organization === organization)
}

/** Whether every organization sees a global plugin. */
export function isShownToAll({ settings }: ApiContext): boolean {
  return settings['plugins.global.visibility'] === 'every_organization'
}

export function isGlobalForAll(id: number | undefined, context: ApiContext): boolean {
  return context.tables.plugins.get(id ?? 0)?.is_global === true && isShownToAll(context)
}

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
export function findOwnPlugin(
  { organization, params: { id } }: PluginInput,
  context: ApiContext,
): PluginRow {
  const row = context.tables.plugins.get(id)
  if (row?.organization === organization.id) return row
  throw pluginNotFound(organization, id, context, row)
}

function pluginNotFound(
  { name }: OrganizationRow,
  id: number,
  { tables }: ApiContext,
  row?: PluginRow,
) {
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
