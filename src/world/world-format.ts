import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { jsonLevels } from '../utils/json.ts'
import { entities } from './entities/entities.ts'
import type { Entity } from './entities/entity.ts'

/** The version of the world format. A file without a version has version 1. */
export const formatVersion = 1

/** The highest id of a row. No row gets a higher one, because no world file can contain it. */
export const maxId = 9_000_000_000_000_000

/** The objects of the scopes that the documented operations require. */
export const scopeObjects = ['annotation', 'plugin', 'project'] as const

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

/** A field that holds one of a few words, unless a policy allows any text: `annotations.scope`. */
export type UncheckedField = string

const choiceFields = Object.entries<Entity>(entities).flatMap(([list, { stored }]) =>
  stored.flatMap(({ name, choices }) => (choices ? [{ path: `${list}.${name}`, choices }] : [])),
)

/** The fields in which the policies allow any text. @param settings without settings, all that they could allow it in */
export function uncheckedFields(settings?: PolicySettings): UncheckedField[] {
  return choiceFields
    .filter(({ choices }) => !settings || resolveByPolicy(choices, settings) === 'any')
    .map(({ path }) => path)
}
