import type { Json, Plugin } from '../rows.ts'
import { notFound, serverError } from './answers.ts'
import type { PluginCall } from './call.ts'
import { fieldsIn, readJson, readPlugin } from './fields.ts'
import { contentOf, newest } from './install.ts'
import { find, findOwn, requireInstalling, show, touched, update } from './plugins.ts'

// The four operations on one plugin that the documentation shows as a plugin.

/** A plugin of the organization itself, although the operation only reads. */
function findInstalled(call: PluginCall, reason: string): Plugin {
  const row = find(call)
  if (row.organization !== call.organization.id) throw notFound()
  requireInstalling(call, call.organization, reason)
  return row
}

/** Stores the newest tag of the catalogue. The live service crashes without a URL. */
export function checkForUpdates(call: PluginCall): Json {
  const { rows, live } = call
  const row = findInstalled(call, 'installation')
  if (live && !row.url) throw serverError()
  const version = newest(rows, row)
  if (version) touched(rows, row).latest_tag = version.tag
  return live ? { plugin: show(rows, row) } : show(rows, row)
}

export function source(call: PluginCall): Json {
  const row = findInstalled(call, 'source editing')
  return call.live ? row.source : show(call.rows, row)
}

/** Live: a map from file name to text. Null removes a file, and the files that are not named stay. */
export function updateSource(call: PluginCall): Json {
  if (!call.live) return update(call)
  const row = findOwn(call)
  const files = new Map(Object.entries(row.source))
  for (const [name, sent] of Object.entries(fieldsIn(call.parse()))) {
    const value = readJson(name, sent)
    if (value === null) files.delete(name)
    else files.set(name, value)
  }
  row.source = Object.fromEntries(files)
  touched(call.rows, row)
  followPluginJson(row)
  return row.source
}

/** The files are saved already when a plugin.json that is no JSON crashes the service. */
function followPluginJson(row: Plugin): void {
  const text = row.source['plugin.json']
  if (typeof text !== 'string') return
  const { name, config } = parse(text)
  if (name !== undefined) row.name = name
  if (config !== undefined) row.config_schema = config
}

function parse(text: string): { readonly name?: string; readonly config?: Json } {
  try {
    return JSON.parse(text)
  } catch {
    throw serverError()
  }
}

/** A plugin of a URL becomes what the newest version says. The body is validated at most, and never stored. */
export function upgrade(call: PluginCall): Json {
  const { rows, live } = call
  const row = findOwn(call)
  if (!live) readPlugin(call.parse(), call)
  const version = newest(rows, row)
  const isLocal = row.plugin_type === 'source' || row.plugin_type === 'local'
  if (version === null || isLocal) return show(rows, row)
  Object.assign(row, contentOf(version))
  return show(rows, touched(rows, row))
}
