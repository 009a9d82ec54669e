import type { PolicySettings } from '../policies/policies.ts'
import { jsonLevels } from '../utils/json.ts'
import { inspectValue } from '../utils/usage-error.ts'
import { version } from '../utils/version.ts'

/** Of the world format as this version writes it. A file without one is of the first. */
export const formatVersion = 1

/**
 * What is wrong with the format of a file, before anything else in it is read: a later one may mean
 * something else by the same words.
 */
export function formatVersionIssues(world: unknown): string[] {
  const given = (world as { format_version?: unknown } | null | undefined)?.format_version
  if (typeof given !== 'number' || !Number.isInteger(given) || given <= formatVersion) return []
  return [
    `format_version: expected at most ${formatVersion}, got ${inspectValue(given)}: a later version of understudy-api made ` +
      `this file than the one that reads it, ${version}. Update this one, or save the world anew with it.`,
  ]
}

// Words and lengths of fields, which the world format and the bodies of requests have in common.

/** How annotations come to be. */
export const creationTypes = ['USR', 'GIT'] as const

/** Every scope that an annotation was ever seen with (observed §4). */
export const annotationScopes = [
  'dashboard_item',
  'dashboard',
  'project',
  'organization',
  'recording',
  'tag',
] as const

/** The objects of the scopes that the document's operations ask for. */
export const scopeObjects = ['annotation', 'plugin', 'project'] as const

/** The types of plugins that requests may give; there is one more, `inline`. */
export const pluginTypes = ['local', 'custom', 'repository', 'source', ''] as const

/** The most characters that a field may have. */
export const maxLengths = {
  annotation: { content: 400 },
  plugin: { name: 200, url: 800, icon: 800, tag: 200, latest_tag: 800 },
} as const

/**
 * How many lists and objects within one another a stored value may be: a world that holds it is still read by
 * whatever reads bodies.
 */
export const maxJsonDepth = 900

/** Whether a value is JSON that can be written, and read again, as it is. */
export function isJson(value: unknown): boolean {
  let depth = 0
  for (const level of jsonLevels(value)) {
    if (!level.every(isJsonNode)) return false
    depth += 1
    if (depth > maxJsonDepth && level.some((held) => typeof held === 'object' && held !== null))
      return false
  }
  return true
}

/** JSON knows no Infinity, which is what becomes of `1e400`. */
function isJsonNode(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null || Array.isArray(value)) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.hasOwn(prototype, 'isPrototypeOf')
}

/** The fields that may hold any text, since the policies let requests write any. */
export function uncheckedFields(settings: PolicySettings): UncheckedField[] {
  const free: UncheckedField[] = []
  if (settings['annotations.creation_type.values'] === 'any') free.push('annotations.creation_type')
  if (settings['annotations.scope.values'] === 'any') free.push('annotations.scope')
  if (settings['plugins.plugin_type.values'] === 'any') free.push('plugins.plugin_type')
  return free
}

/** A field that holds one of a few words, unless a policy lets it hold any. */
export type UncheckedField =
  | 'annotations.creation_type'
  | 'annotations.scope'
  | 'plugins.plugin_type'
