import { RE2JS } from 're2js'
import { type Difference, type DiffOptions, diffValues } from '../../utils/diff.ts'
import { matchesAlias } from '../../utils/redaction/aliases.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { matchers, toSpecialValue } from './values.ts'

/** Compares a value with an expected one that can contain matchers. @param isExact whether further fields are differences */
export function diffWithMatchers(
  expected: unknown,
  actual: unknown,
  isExact: boolean,
): Difference[] {
  const options: DiffOptions = {
    isExact,
    matches: (value, other) => matches(value, other, isExact),
    matchesNames: true,
  }
  return diffValues(expected, actual, options)
}

/** Returns undefined if the expected value has no matcher. What a recording has hidden matches any value. */
function matches(expected: unknown, actual: unknown, isExact: boolean): boolean | undefined {
  if (typeof expected === 'string') return matchesAlias(expected, actual)
  const special = toSpecialValue(expected)
  if (special === null) return undefined
  const { keyword, value } = special
  switch (keyword) {
    case '$match':
      return matchers[value as string]?.matches(actual)
    case '$pattern':
      return typeof actual === 'string' && matchesPattern(value as string, actual)
    case '$not':
      return diffWithMatchers(value, actual, isExact).length > 0
    case '$literal':
      return diffValues(value, actual, { isExact }).length === 0
    default:
      return undefined
  }
}

export function describeExpected(expected: unknown): string {
  const special = toSpecialValue(expected)
  if (special === null) return inspectValue(expected)
  const { keyword, value } = special
  if (keyword === '$match') return matchers[value as string]?.description ?? inspectValue(expected)
  if (keyword === '$pattern') return `a string that matches /${value}/`
  return keyword === '$not' ? `anything but ${describeExpected(value)}` : inspectValue(value)
}

/** The limit `maxPatternWork`: the size of a compiled pattern times the length of a text. It takes about a second. */
export const maxPatternWork = 100_000_000

/**
 * Whether a text matches a regular expression. Patterns come from files of other people, so they run in linear time:
 * JavaScript's own engine takes years for `^(a+)+$`.
 *
 * @throws UsageError if the pattern is too large for the text
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const compiled = compile(pattern)
  if (compiled.programSize() * text.length <= maxPatternWork) return compiled.test(text)
  throw new UsageError(
    `Failed to match /${pattern.slice(0, 100)}/: it is too large for a text of ${text.length} characters. Use smaller repetitions.`,
  )
}

/** Explains what is wrong with a regular expression. Returns null for a valid one. */
export function describePatternIssue(pattern: string): string | null {
  try {
    new RegExp(pattern, 'u')
    if (inlineFlags.test(pattern)) return 'expected a regular expression'
  } catch {
    return 'expected a regular expression'
  }
  try {
    if (backReference.test(pattern)) throw new Error('back references are not supported')
    compile(pattern)
    return null
  } catch (error) {
    const reason = (error as Error).message.replace('error parsing regexp: ', '')
    return `expected a regular expression without look-around and back references (${reason})`
  }
}

/** Newer versions of Node accept `(?i:a)`, the older ones do not. The expression skips escapes and classes. */
const inlineFlags = /^(?:[^\\[(]|\\.|\[(?:[^\\\]]|\\.)*\]|\((?!\?[ims-]+:))*\(\?[ims-]+:/su

/** RE2JS reads `\k<name>` as plain text. */
const backReference = /^(?:[^\\]|\\[^k])*\\k/

/** Compiles a pattern in JavaScript's syntax, such as `\u{1F600}`. */
function compile(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern))
}
