import { isObject } from '../differences.ts'
import { specialOf } from '../scenarios/values.ts'

/** Where a value stands within a body. */
export interface Spot {
  /** JSON Pointer */
  readonly pointer: string
  /** The name of its field; of an item that of its list; empty for the whole */
  readonly field: string
  /** The fields that lead to the object that it is in, without positions */
  readonly within: readonly string[]
}

/** A value that is no object and no list. */
export type Leaf = string | number | boolean | null

/**
 * A JSON value with others in place of its leaves. What is literal stays.
 *
 * @param change gives what stands in place of a leaf
 */
export function mapLeaves(
  value: unknown,
  change: (leaf: Leaf, spot: Spot) => unknown,
  spot: Spot = { pointer: '', field: '', within: [] },
): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      mapLeaves(item, change, { ...spot, pointer: `${spot.pointer}/${index}` }),
    )
  }
  if (!isObject(value)) return change(value as Leaf, spot)
  if (specialOf(value)?.word === '$literal') return value
  const within = spot.field === '' ? spot.within : [...spot.within, spot.field]
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    mapLeaves(inner, change, { pointer: `${spot.pointer}/${escaped(name)}`, field: name, within }),
  ])
  return Object.fromEntries(entries)
}

/** JSON as a value; undefined for what is none. */
export function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
