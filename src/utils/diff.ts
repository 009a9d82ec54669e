/** One place where a value is not as expected. */
export interface Difference {
  /** The names and positions that lead to it, from the value that was compared */
  readonly path: readonly (string | number)[]
  /** Undefined for nothing at all */
  readonly expected: unknown
  /** Undefined for nothing at all */
  readonly got: unknown
  /** Whether only the number of items differs: then both are lists. */
  readonly inLength?: true
}

/** How values are compared. */
export interface DiffOptions {
  /** Whether objects may have no more fields than expected; else what is not named does not matter. */
  readonly isExact?: boolean
  /** Whether a value is as expected, where the expectation stands for more than itself; undefined where it does not. */
  readonly matches?: (expected: unknown, got: unknown) => boolean | undefined
}

/**
 * Every place where a value differs from what was expected of it. Lists may not have more items than expected.
 *
 * @example differencesIn({ content: 'Launch' }, { content: 'Lunch', scope: 'project' })
 * // [{ path: ['content'], expected: 'Launch', got: 'Lunch' }]
 */
export function diffValues(
  expected: unknown,
  got: unknown,
  rules: DiffOptions = {},
  path: Difference['path'] = [],
): Difference[] {
  const isMatch = rules.matches?.(expected, got)
  if (isMatch !== undefined) return isMatch ? [] : [{ path, expected, got }]
  if (Array.isArray(expected) && Array.isArray(got)) return diffLists(expected, got, rules, path)
  if (isObject(expected) && isObject(got)) return diffObjects(expected, got, rules, path)
  return Object.is(expected, got) ? [] : [{ path, expected, got }]
}

function diffLists(
  expected: readonly unknown[],
  got: readonly unknown[],
  rules: DiffOptions,
  path: Difference['path'],
): Difference[] {
  if (expected.length !== got.length) return [{ path, expected, got, inLength: true }]
  return expected.flatMap((value, index) => diffValues(value, got[index], rules, [...path, index]))
}

function diffObjects(
  expected: Record<string, unknown>,
  got: Record<string, unknown>,
  rules: DiffOptions,
  path: Difference['path'],
): Difference[] {
  const found = Object.entries(expected).flatMap(([name, value]) =>
    diffValues(value, Object.hasOwn(got, name) ? got[name] : undefined, rules, [...path, name]),
  )
  if (!rules.isExact) return found
  const more = Object.keys(got).filter((name) => !Object.hasOwn(expected, name))
  return [
    ...found,
    ...more.map((name) => ({ path: [...path, name], expected: undefined, got: got[name] })),
  ]
}

/** Whether a value has fields by name: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
