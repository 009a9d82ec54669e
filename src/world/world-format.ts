import type { PolicySettings } from '../policies/policies.ts'
import { jsonLevels } from '../utils/json.ts'
import { inspectValue } from '../utils/usage-error.ts'
import { version } from '../utils/version.ts'

/** The version of the world format. A file without a version has version 1. */
export const formatVersion = 1

/** Checks the format version before anything else, because a later format can give the same fields another meaning. */
export function formatVersionIssues(world: unknown): string[] {
  const value = (world as { format_version?: unknown } | null | undefined)?.format_version
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= formatVersion) return []
  return [
    `format_version: expected at most ${formatVersion}, got ${inspectValue(value)}. A later version of ` +
      `understudy-api wrote this file. Update understudy-api ${version}, or save the world with this version.`,
  ]
}

/** The highest id of a row. No row gets a higher one, because no world file can contain it. */
export const maxId = 9_000_000_000_000_000

// Words and lengths that the world format and request bodies have in common.

export const creationTypes = ['USR', 'GIT'] as const

/** The values of `scope` that were seen in the live service. */
export const annotationScopes = [
  'dashboard_item',
  'dashboard',
  'project',
  'organization',
  'recording',
  'tag',
] as const

/** The objects of the scopes that the documented operations require. */
export const scopeObjects = ['annotation', 'plugin', 'project'] as const

/** The values of `plugin_type` that a request can send. Stored plugins can also have `inline`. */
export const pluginTypes = ['local', 'custom', 'repository', 'source', ''] as const

export const maxLengths = {
  annotation: { content: 400 },
  plugin: { name: 200, url: 800, icon: 800, tag: 200, latest_tag: 800 },
} as const

/** The maximum nesting of a stored JSON value. An exported world must stay within the limit of the body parser. */
export const maxJsonDepth = 900

/** Whether a value survives `JSON.stringify` and `JSON.parse` unchanged, within the maximum nesting. */
export function isJson(value: unknown): boolean {
  let depth = 0
  for (const level of jsonLevels(value)) {
    if (!level.every(isJsonNode)) return false
    depth += 1
    if (depth > maxJsonDepth && level.some((node) => typeof node === 'object' && node !== null))
      return false
  }
  return true
}

/** JSON has no Infinity, but `JSON.parse` returns it for `1e400`. */
function isJsonNode(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null || Array.isArray(value)) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.hasOwn(prototype, 'isPrototypeOf')
}

const wordFields = [
  'annotations.creation_type',
  'annotations.scope',
  'plugins.plugin_type',
] as const

/** A field that holds one of a few words, unless a policy allows any text. */
export type UncheckedField = (typeof wordFields)[number]

/** The fields in which the policies allow any text. */
export function uncheckedFields(settings: PolicySettings): UncheckedField[] {
  return wordFields.filter((field) => settings[`${field}.values`] === 'any')
}

/** Derives a UUID from a number. @example uuidFromNumber(7) // '00000000-0000-4000-8000-000000000007' */
export function uuidFromNumber(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
