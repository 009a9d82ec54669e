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
  /** How many differences are searched. By default all */
  readonly most?: number | undefined
  /** The fields of what many values are compared with: to list those of an object takes long */
  readonly fields?: WeakMap<object, [string, unknown][]>
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
  const whole = { path, expected, got: actual }
  const isMatch = options.matches?.(expected, actual, path)
  if (isMatch !== undefined) return isMatch ? [] : [whole]
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return [{ ...whole, inLength: true }]
    return diffParts(expected.entries(), whole, options)
  }
  if (!isObject(expected) || !isObject(actual)) return Object.is(expected, actual) ? [] : [whole]
  const fields = options.fields?.get(expected) ?? Object.entries(expected)
  options.fields?.set(expected, fields)
  const names = options.isExact ? Object.keys(actual) : []
  const others = names.filter((name) => !Object.hasOwn(expected, name))
  return diffParts([...fields, ...others.map((name) => [name, undefined] as const)], whole, options)
}

/** Whether a value has no difference. */
export function isLike(expected: unknown, actual: unknown): boolean {
  return diffValues(expected, actual, { most: 1 }).length === 0
}

function diffParts(
  parts: Iterable<readonly [name: string | number, expected: unknown]>,
  whole: Difference,
  options: DiffOptions,
) {
  const actual = whole.got as Record<string | number, unknown>
  // Below a long path no part has a difference of its own: each one would repeat the path.
  const isLong = whole.path.join().length > 400
  const most = isLong ? 1 : (options.most ?? Number.POSITIVE_INFINITY)
  const differences: Difference[] = []
  for (const [name, expected] of parts) {
    if (differences.length >= most) break
    const got = Object.hasOwn(actual, name) ? actual[name] : undefined
    for (const difference of diffValues(expected, got, options, [...whole.path, name]))
      differences.push(difference)
  }
  return isLong && differences.length > 0 ? [whole] : differences
}

/**
 * Formats the lengths of two lists, and the items that only one of them has, without those that they share at the start
 * and at the end.
 */
export function formatLengths(
  { expected, got }: Pick<Difference, 'expected' | 'got'>,
  inspect: (value: unknown) => string,
  isSame: typeof isLike = isLike,
): Record<'expected' | 'got', string> {
  const [a, b] = [expected, got] as [readonly unknown[], readonly unknown[]]
  const shortest = Math.min(a.length, b.length)
  let [start, end] = [0, 0]
  while (start < shortest && isSame(a[start], b[start])) start += 1
  while (end < shortest - start && isSame(a.at(-1 - end), b.at(-1 - end))) end += 1
  const format = (list: readonly unknown[]) => {
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
