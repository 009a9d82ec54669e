import { shownFields } from '../../support/api/document.ts'
import { byId, type Json, type Organization, type Plugin, pick, type Rows } from '../rows.ts'
import { log } from './activity.ts'
import { denied, invalid, notFound } from './answers.ts'
import type { Call, PluginCall } from './call.ts'
import { firstPlugin, readNewPlugin, readPlugin } from './fields.ts'
import { install } from './install.ts'
import { page } from './pages.ts'

/** How a plugin is shown. The query of its URL can contain a token. */
export function show(rows: Rows, row: Plugin): Readonly<Record<string, Json>> {
  const organization_name = byId(rows.organizations, row.organization)?.name ?? null
  const url = withoutQuery(row.url) || null
  const shown = { ...row, url, organization_id: row.organization, organization_name }
  return pick(shown, shownFields.plugin as (keyof typeof shown)[])
}

export const withoutQuery = (url: string | null): string | null => url?.replace(/\?.*$/, '') ?? null

/** An organization sees its own plugins. In `live` it sees global ones of others, too. */
export function visible({ rows, live }: Call, { id }: Organization): Plugin[] {
  return rows.plugins
    .filter((row) => row.organization === id || (live && row.is_global))
    .sort((a, b) => a.id - b.id)
}

export function find(call: PluginCall): Plugin {
  const row = visible(call, call.organization).find(({ id }) => String(id) === call.route.id)
  if (!row) throw notFound()
  return row
}

/** A plugin that the organization of the path can change. */
export function findOwn(call: PluginCall): Plugin {
  const row = find(call)
  if (row.organization === call.organization.id) return row
  throw denied(
    call.user.organizations.includes(row.organization)
      ? 'This plugin installation is managed by another organization'
      : undefined,
  )
}

/** Retrieving a global plugin needs no membership in the organization of the path. */
export function allowsRetrieval({ rows, live, method, route }: Call): boolean {
  const row = rows.plugins.find(({ id }) => String(id) === route.id)
  return live && method === 'GET' && route.path.endsWith('/plugins/:id') && row?.is_global === true
}

export function list(call: PluginCall): Json {
  const rows = visible(call, call.organization).map((row) => show(call.rows, row))
  return page(call.request, rows, 100)
}

/** In `live` a plugin is installed from its URL, unless the client sends the source itself. */
export function create(call: PluginCall): Plugin {
  const { rows, organization } = call
  const fields = readNewPlugin(call.parse(), call)
  if (fields.is_global) requireRoot(call, organization)
  const { plugin_type, url = null } = fields
  const installed = call.live ? install(call, plugin_type, url) : {}
  rows.nextRevision += 1
  const row: Plugin = {
    ...firstPlugin,
    id: rows.nextPlugin,
    organization: organization.id,
    revision: rows.nextRevision,
    ...fields,
    ...installed,
  }
  rows.nextPlugin += 1
  rows.plugins.push(row)
  log(call, 'installed', row)
  return row
}

export function update(call: PluginCall): Json {
  const row = findOwn(call)
  const fields = readPlugin(call.parse(), call)
  if (fields.is_global !== undefined) requireRoot(call, call.organization)
  Object.assign(row, fields)
  return show(call.rows, touched(call.rows, row))
}

export function touched(rows: Rows, row: Plugin): Plugin {
  rows.nextRevision += 1
  row.revision = rows.nextRevision
  return row
}

export function remove(call: PluginCall): void {
  const { rows, live } = call
  const row = findOwn(call)
  if (live && row.is_global) {
    throw invalid(null, 'This plugin is marked as global! Make it local before uninstallation')
  }
  log(call, 'uninstalled', row)
  rows.plugins = rows.plugins.filter(({ id }) => id !== row.id)
  rows.plugin_configs = rows.plugin_configs.filter(({ plugin }) => plugin !== row.id)
}

/** What the plugins_access_level of an organization allows. Only `live` looks at it. */
const levels = { configure: 3, install: 6, root: 9 }

const reaches = ({ live }: Call, { plugins_access_level }: Organization, level: number): boolean =>
  !live || plugins_access_level >= level

/** The first gate of every path of plugins. */
export function requireLevel(call: Call, organization: Organization): void {
  const isRead = ['GET', 'OPTIONS'].includes(call.method)
  if (reaches(call, organization, isRead ? levels.configure : levels.install)) return
  throw denied("Your organization's plugin access level is insufficient.")
}

/** Some operations that read need the level of writing, too. */
export function requireInstalling(call: Call, organization: Organization, reason: string): void {
  if (reaches(call, organization, levels.install)) return
  throw denied(`Plugin ${reason} is not available for the current organization!`)
}

function requireRoot(call: Call, organization: Organization): void {
  if (reaches(call, organization, levels.root)) return
  throw denied("This organization can't manage global plugins!")
}
