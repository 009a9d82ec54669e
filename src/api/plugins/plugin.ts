import type { ScopeRule } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import {
  anyText,
  type BodySchema,
  bodyOf,
  responseShape,
  type Shape,
} from '../../http/fields/body-fields.ts'
import { integerIdParameter, placeParameter } from '../../http/input.ts'
import { createRowWriter, type RowWriter } from '../../http/pages.ts'
import { type Choices, perSetting } from '../../settings/setting.ts'
import { type Field, usualValue } from '../../world/entities/field.ts'
import {
  type NewPlugin,
  type Plugin,
  type PluginChanges,
  type PluginRow,
  plugin,
  stripQuery,
} from '../../world/entities/plugin.ts'

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

/** The scope of an other operation, by setting. */
export function otherScope(plugin_scopes: ScopeRule): Choices<ScopeRule> {
  return perSetting('plugins.other.scope', {
    plugin_scopes,
    any_key: 'any_key',
    refused: 'refused',
  })
}

/** What an other operation has by the setting `plugins.other.body`. Only the four lists have an envelope. */
export function byBody<P, O, E = O>(plugin: P, specific: O, envelope?: E): Choices<P | O | E> {
  return perSetting('plugins.other.body', { plugin, specific, envelope: envelope ?? specific })
}

/** `/api/organizations/:organization_id/plugins` */
export const organizationParams = {
  organization_id: placeParameter('Identifies the organization.', anyText),
}

/** `/api/organizations/:organization_id/plugins/:id` */
export const pluginParams = {
  ...organizationParams,
  id: integerIdParameter('Identifies the plugin.'),
}

/** Writes a plugin as JSON. */
export const writePlugin: RowWriter<PluginRow, Plugin> = createRowWriter(plugin)

/** Stands for a missing plugin. No field is null, since the documentation does not say that texts can be null. */
export function emptyPlugin(organization_id: string, organization_name: string): Plugin {
  const values = Object.values<Field>(plugin.fields)
    .filter(({ sent }) => sent !== false)
    .map((field) => [field.name, usualValue(field) ?? ''])
  const known = { id: 0, plugin_type: 'local', organization_id, organization_name }
  return { ...Object.fromEntries(values), ...known }
}

/** Seen in the live service: Python's `str()` of the url, also of null. A header has ASCII characters only. */
export function pluginLocation({ url }: PluginRow): string {
  return url ? stripQuery(url).replace(/[^!-~]+/g, encodeURIComponent) : 'None'
}

/** Truncates a text to the length of a field in code points, the unit in which the live service counts lengths. */
export function truncate(text: string, { max }: Pick<Field, 'max'>): string {
  return Array.from(text).slice(0, max).join('')
}

/** The form in which URLs are compared: without query and trailing slashes. */
export function normalizeUrl(url: string): string {
  return stripQuery(url).replace(/\/+$/, '')
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
