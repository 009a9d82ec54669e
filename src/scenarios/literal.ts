import { isObject } from '../differences.ts'

/** A value that only stands for itself: fields that begin with `$`, which would say more, are marked as plain ones. */
export function toLiteral(value: unknown): unknown {
  return hasKeywords(value) ? { $literal: value } : value
}

function hasKeywords(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasKeywords)
  if (!isObject(value)) return false
  return Object.entries(value).some(([name, inner]) => name.startsWith('$') || hasKeywords(inner))
}

/**
 * The same, marked as far inside as can be, so that what stands around it is still read and checked.
 *
 * @example literalWithin({ rows: [{ config: { $a: 1 } }] }) // { rows: [{ config: { $literal: { $a: 1 } } }] }
 */
export function escapeLiterals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escapeLiterals)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  if (entries.some(([name]) => name.startsWith('$'))) return { $literal: value }
  return Object.fromEntries(entries.map(([name, inner]) => [name, escapeLiterals(inner)]))
}
