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
  const mapped: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const pointer = `${spot.pointer}/${escaped(name)}`
    const inner = mapLeaves(value[name], change, { pointer, field: name, within })
    // Of all names this one is no field of an object by being written to.
    if (name === '__proto__') Object.defineProperty(mapped, name, { ...field, value: inner })
    else mapped[name] = inner
  }
  return mapped
}

const field = { enumerable: true, configurable: true, writable: true }

/** Looks at the leaves of a JSON value, but for what is literal. */
export function visitLeaves(
  value: unknown,
  visit: (leaf: Leaf, spot: Spot) => void,
  spot: Spot = { pointer: '', field: '', within: [] },
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      visitLeaves(item, visit, { ...spot, pointer: `${spot.pointer}/${index}` })
    }
  } else if (!isObject(value)) visit(value as Leaf, spot)
  else if (specialOf(value)?.word !== '$literal') {
    const within = spot.field === '' ? spot.within : [...spot.within, spot.field]
    for (const name of Object.keys(value)) {
      const pointer = `${spot.pointer}/${escaped(name)}`
      visitLeaves(value[name], visit, { pointer, field: name, within })
    }
  }
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
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}
