import { jsonLevels } from '../python/levels.ts'

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
