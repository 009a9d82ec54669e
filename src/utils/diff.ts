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

export interface DiffOptions {
  /** Whether an object may have only the expected fields. By default other fields are ignored. */
  readonly isExact?: boolean
  /** How many differences are searched. By default all */
  readonly most?: number | undefined
  /** The names of fields of what many values are compared with: to list those of an object takes long */
  readonly names?: WeakMap<object, readonly string[]> | undefined
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
): Difference[] {
  return diffAt([], expected, actual, options)
}

/** Whether a value has no difference. */
export function isLike(expected: unknown, actual: unknown): boolean {
  return diffValues(expected, actual, { most: 1 }).length === 0
}

/** @param path one list for all values, since to copy that of each deep value would take long */
function diffAt(
  path: (string | number)[],
  expected: unknown,
  actual: unknown,
  options: DiffOptions,
): Difference[] {
  if (typeof expected !== 'object' && Object.is(expected, actual)) return []
  const whole = () => ({ path: [...path], expected, got: actual })
  const isMatch = options.matches?.(expected, actual, path)
  if (isMatch !== undefined) return isMatch ? [] : [whole()]
  const areLists = Array.isArray(expected) && Array.isArray(actual)
  if (areLists && expected.length !== actual.length) return [{ ...whole(), inLength: true }]
  if (!areLists && !(isObject(expected) && isObject(actual)))
    return Object.is(expected, actual) ? [] : [whole()]
  const most = options.most ?? Number.POSITIVE_INFINITY
  const differences: Difference[] = []
  for (const name of areLists ? expected.keys() : namesOf(expected, actual, options)) {
    path.push(name)
    const parts = diffAt(path, partOf(expected, name), partOf(actual, name), options)
    for (const difference of parts) differences.push(difference)
    path.pop()
    // Below a long path no part has a difference of its own: each one would repeat the path.
    if (differences.length > 0 && path.join().length > 400) return [whole()]
    if (differences.length >= most) break
  }
  return differences
}

/** The names of the expected fields, and of those that a value may not have. */
function namesOf(expected: object, actual: object, { names, isExact }: DiffOptions) {
  const own = names?.get(expected) ?? Object.keys(expected)
  names?.set(expected, own)
  if (!isExact) return own
  return [...own, ...Object.keys(actual).filter((name) => !Object.hasOwn(expected, name))]
}

function partOf(value: object, name: string | number) {
  return Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined
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
