import { isObject } from './json.ts'
import { formatCount } from './text.ts'

/** One value that is not as expected. */
export interface Difference {
  /** The names and indexes that lead to the value. */
  readonly path: readonly (string | number)[]
  /** Undefined if no value was expected. */
  readonly expected: unknown
  /** Undefined if there is no value. */
  readonly got: unknown
  /** Set if two lists differ in length. Their items were not compared. */
  readonly inLength?: true
}

interface DiffOptions {
  /** Whether an object may have only the expected fields. By default other fields are ignored. */
  readonly isExact?: boolean
  /** Compares a value with an expectation that is not a literal. Returns undefined to compare it as usual. */
  readonly matches?: (
    expected: unknown,
    actual: unknown,
    path: Difference['path'],
  ) => boolean | undefined
}

/** Compares a value with the expected one and returns every difference. Lists must have the same length. */
export function diffValues(
  expected: unknown,
  actual: unknown,
  options: DiffOptions = {},
  path: Difference['path'] = [],
): Difference[] {
  if (typeof expected !== 'object' && Object.is(expected, actual)) return []
  const isMatch = options.matches?.(expected, actual, path)
  if (isMatch !== undefined) return isMatch ? [] : [{ path, expected, got: actual }]
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return diffLists(expected, actual, options, path)
  }
  if (isObject(expected) && isObject(actual)) return diffObjects(expected, actual, options, path)
  return Object.is(expected, actual) ? [] : [{ path, expected, got: actual }]
}

function diffLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  options: DiffOptions,
  path: Difference['path'],
): Difference[] {
  if (expected.length !== actual.length) return [{ path, expected, got: actual, inLength: true }]
  return expected.flatMap((value, index) =>
    diffValues(value, actual[index], options, [...path, index]),
  )
}

/**
 * Formats the lengths of two lists, and the items that only one of them has, without those that they share at the start
 * and at the end.
 *
 * @param isSame compares two items. By default like `diffValues`
 * @example formatLengths(difference, inspectValue) // { expected: '2 items, [1] is {"id":5}', got: '1 item' }
 */
export function formatLengths(
  { expected, got }: Pick<Difference, 'expected' | 'got'>,
  inspect: (value: unknown) => string,
  isSame: (expected: unknown, got: unknown) => boolean = (a, b) => diffValues(a, b).length === 0,
): Record<'expected' | 'got', string> {
  const [a, b] = [expected, got] as [readonly unknown[], readonly unknown[]]
  const shortest = Math.min(a.length, b.length)
  let [start, end] = [0, 0]
  while (start < shortest && isSame(a[start], b[start])) start += 1
  while (end < shortest - start && isSame(a.at(-1 - end), b.at(-1 - end))) end += 1
  const format = (list: readonly unknown[]): string => {
    const { length } = list
    const differing = list.slice(start, length - end)
    const shown = differing.slice(0, maxListed)
    const items = shown.map((item, index) => `[${start + index}] is ${inspect(item)}`)
    const more = differing.length > maxListed ? ['…'] : []
    return [formatCount(length, 'item'), ...items, ...more].join(', ')
  }
  return { expected: format(a), got: format(b) }
}

const maxListed = 3

function diffObjects(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  options: DiffOptions,
  path: Difference['path'],
): Difference[] {
  const names = options.isExact ? Object.keys(actual) : []
  const extraNames = names.filter((name) => !Object.hasOwn(expected, name))
  const differences = Object.entries(expected).flatMap(([name, value]) =>
    diffValues(value, ownValue(actual, name), options, [...path, name]),
  )
  return [
    ...differences,
    ...extraNames.map((name) => ({
      path: [...path, name],
      expected: undefined,
      got: actual[name],
    })),
  ]
}

function ownValue(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
