import * as s from '../../http/fields/shape.ts'
import { integerIdParameter, type Parameter, pathParameter } from '../../http/parameters.ts'
import { type JsonText, toJsonText } from '../../utils/json-text.ts'
import type { Mutable, PluginRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import type { Tables } from '../../world/table/tables.ts'

/** A plugin, as the API returns it. */
export interface Plugin extends Mutable<Omit<PluginRow, 'organization' | 'source' | 'revision'>> {
  /** UUID */
  organization_id: string
  organization_name: string
}

export const pluginShape: s.Shape<Plugin> = s.objectOf({
  id: s.integer,
  plugin_type: s.nullableShape(s.anyText),
  name: s.nullableShape(s.anyText),
  description: s.nullableShape(s.anyText),
  url: s.nullableShape(s.anyText),
  icon: s.nullableShape(s.anyText),
  config_schema: s.anyJson,
  tag: s.nullableShape(s.anyText),
  latest_tag: s.nullableShape(s.anyText),
  is_global: s.bool,
  organization_id: s.formattedText('uuid'),
  organization_name: s.anyText,
  capabilities: s.anyJson,
  metrics: s.anyJson,
  public_jobs: s.anyJson,
})

/** `/api/organizations/:organization_id/plugins` */
export const organizationParams: { readonly organization_id: Parameter<string> } = {
  organization_id: pathParameter('Identifies the organization.'),
}

/** `/api/organizations/:organization_id/plugins/:id` */
export const pluginParams: typeof organizationParams & { readonly id: Parameter<number> } = {
  ...organizationParams,
  id: integerIdParameter('Identifies the plugin.'),
}

/** Serializes a plugin to JSON. The text is cached on the entry until the row or its organization changes. */
export function serializePlugin(entry: TableEntry<PluginRow>, tables: Tables): JsonText<Plugin> {
  const embedded = tables.embedded.current(tables)
  if (entry.serialized?.shown !== embedded) {
    entry.serialized = { wire: toJsonText(toPlugin(entry.row, tables)), shown: embedded }
  }
  return entry.serialized.wire as JsonText<Plugin>
}

export function toPlugin(row: PluginRow, { organizations }: Tables): Plugin {
  return s.pickFields(pluginShape, {
    ...row,
    url: row.url ? stripQuery(row.url) : null,
    organization_id: row.organization,
    organization_name: organizations.get(row.organization)?.name ?? '',
  })
}

/** Stands for a missing plugin. No field is null, since the documentation does not say that texts can be null. */
export function emptyPlugin(organization_id: string, organization_name: string): Plugin {
  return {
    ...{ id: 0, plugin_type: 'local', name: '', description: '', url: '', icon: '' },
    ...{ config_schema: {}, tag: '', latest_tag: '', is_global: false },
    ...{ organization_id, organization_name },
    ...{ capabilities: {}, metrics: {}, public_jobs: {} },
  }
}

/** Seen in the live service: Python's `str()` of the url, also of null. A header has ASCII characters only. */
export function pluginLocation({ url }: PluginRow): string {
  return url ? stripQuery(url).replace(/[^!-~]+/g, encodeURIComponent) : 'None'
}

/** Truncates a text to a number of code points, the unit in which the live service counts lengths. */
export function truncate(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('')
}

/** Removes the query of a URL, because `?private_token=…` is never shown. */
export function stripQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** The form in which URLs are compared: without query and trailing slashes. */
export function normalizeUrl(url: string): string {
  return stripQuery(url).replace(/\/+$/, '')
}
