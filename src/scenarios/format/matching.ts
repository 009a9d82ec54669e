import { type Difference, type DiffOptions, diffValues } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/errors.ts'
import { aliasForm, hasAlias, isAlias, kindOfName } from '../../utils/redaction/names.ts'
import { matchers, toSpecialValue } from './values.ts'

/** Compares a value with an expected one that can contain matchers. @param isExact whether further fields are differences */
export function diffWithMatchers(
  expected: unknown,
  actual: unknown,
  isExact: boolean,
  options: DiffOptions = {},
): Difference[] {
  return diffValues(expected, actual, {
    ...options,
    isExact,
    matches: (value, received, path) =>
      matchesAlias(value, received, path) ?? matches(value, received, isExact),
  })
}

/**
 * Whether a value is what a recorded one may be: an alias stands for any text, and alone for any value, and that of a number for
 * any number of a secret name.
 *
 * @returns undefined if the recorded value has no alias
 */
export function matchesAlias(
  recorded: unknown,
  value: unknown,
  path: readonly (string | number)[] = [],
): boolean | undefined {
  if (typeof recorded === 'number') {
    const isHidden = typeof value === 'number' && isAlias(recorded)
    return (isHidden && path.some((step) => kindOfName(String(step)) !== null)) || undefined
  }
  if (typeof recorded !== 'string' || !hasAlias(recorded)) return undefined
  if (typeof value !== 'string') return isAlias(recorded) && value !== null && value !== undefined
  const [start = '', ...texts] = recorded.split(new RegExp(aliasForm))
  const end = texts.pop() as string
  if (!value.startsWith(start) || !value.endsWith(end)) return false
  let at = start.length
  // The earliest match of each plain text takes linear time. An expression with many wildcards would not.
  for (const text of texts) {
    const next = value.indexOf(text, at + 1)
    if (next < 0) return false
    at = next + text.length
  }
  return at < value.length - end.length
}

/** Returns undefined if the expected value has no matcher. */
function matches(expected: unknown, actual: unknown, isExact: boolean): boolean | undefined {
  const special = toSpecialValue(expected)
  if (special === null) return undefined
  const { keyword, value } = special
  if (keyword === '$match') return matchers[value as string]?.matches(actual)
  return keyword === '$literal' ? diffValues(value, actual, { isExact }).length === 0 : undefined
}

export function describeExpected(expected: unknown): string {
  const special = toSpecialValue(expected)
  if (special?.keyword !== '$match') return inspectValue(special ? special.value : expected)
  return matchers[special.value as string]?.description ?? inspectValue(expected)
}
