import { mapValues } from '../map-inside.ts'
import { toSpecialValue } from '../scenarios/values.ts'

/** Where a value stands within a body. */
export interface ValueLocation {
  /** JSON Pointer */
  readonly pointer: string
  /** The name of its field; of an item that of its list; empty for the whole */
  readonly field: string
  /** The fields that lead to the object that it is in, without positions */
  readonly within: readonly string[]
}

/** A value that may come back: what is true, false or null tells nothing apart. */
export type Leaf = string | number

/**
 * A JSON value with others in place of its texts and numbers; the same one where none is another. What is literal
 * stays.
 *
 * @param change gives what stands in place of one
 */
export function mapLeaves(
  value: unknown,
  change: (leaf: Leaf, spot: ValueLocation) => unknown,
  spot: ValueLocation = { pointer: '', field: '', within: [] },
): unknown {
  if (isUntracked(value)) return value
  if (typeof value !== 'object') return change(value as Leaf, spot)
  if (toSpecialValue(value)?.keyword === '$literal') return value
  const isList = Array.isArray(value)
  const within = isList || spot.field === '' ? spot.within : [...spot.within, spot.field]
  // Where nothing is told, no place is made up: that is half of the values.
  return mapValues(value, (inner, name) =>
    isUntracked(inner)
      ? inner
      : mapLeaves(inner, change, new LazyLocation(spot, name, isList ? spot.field : name, within)),
  )
}

function isUntracked(value: unknown): value is boolean | null | undefined {
  return value === null || value === undefined || typeof value === 'boolean'
}

/** The pointer is put together when it is asked for: of most values nobody wants to know. */
class LazyLocation implements ValueLocation {
  readonly #around: ValueLocation
  readonly #name: string
  readonly field: string
  readonly within: readonly string[]

  constructor(around: ValueLocation, name: string, field: string, within: readonly string[]) {
    this.#around = around
    this.#name = name
    this.field = field
    this.within = within
  }

  get pointer(): string {
    return `${this.#around.pointer}/${this.#name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  }
}
