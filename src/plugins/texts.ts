import { type JsonText, toJsonText } from '../wire.ts'
import type { TableEntry } from '../world/entry.ts'
import type { PluginRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { Plugin } from './plugin.ts'

/** A plugin as it is sent. Its text is kept on the entry, until the row or its organization changes. */
export function serializePlugin(entry: TableEntry<PluginRow>, tables: Tables): JsonText<Plugin> {
  const shown = tables.embedded.current(tables)
  if (entry.serialized?.shown !== shown) {
    entry.serialized = { wire: toJsonText(toPlugin(entry.row, tables)), shown }
  }
  return entry.serialized.wire as JsonText<Plugin>
}

export function toPlugin(row: PluginRow, { organizations }: Tables): Plugin {
  return {
    id: row.id,
    plugin_type: row.plugin_type,
    name: row.name,
    description: row.description,
    url: row.url ? stripQuery(row.url) : null,
    icon: row.icon,
    config_schema: row.config_schema,
    tag: row.tag,
    latest_tag: row.latest_tag,
    is_global: row.is_global,
    organization_id: row.organization,
    organization_name: organizations.get(row.organization)?.name ?? '',
    capabilities: row.capabilities,
    metrics: row.metrics,
    public_jobs: row.public_jobs,
  }
}

/** The beginning of a text that has to fit where it is stored, in code points (observed §5, lengths). */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  return Array.from(text).slice(0, length).join('')
}

/** A url may end in `?private_token=…`, which is never shown (observed §5). */
export function stripQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** By what a url is looked up in the catalogue: neither the query nor a slash at the end counts. */
export function normalizeUrl(url: string): string {
  return stripQuery(url).replace(/\/+$/, '')
}
