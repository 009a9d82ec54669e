import { expect, test } from 'vitest'
import {
  describePatternIssue,
  diffWithMatchers,
  matchesPattern,
  maxPatternWork,
} from '../../../../src/scenarios/format/compare.ts'
import { hasPathOfStep } from '../../../../src/scenarios/replay-server/match-request.ts'
import { milliseconds } from '../../../support/milliseconds.ts'

const long = `${'a'.repeat(10_000)}!`

test.each([
  '^(a+)+$',
  '^(a|aa)+$',
  '^(.*)*b$',
  '(x+x+)+y',
  '^([a-z]+)*\\d$',
  '(a?){40}a{40}b',
  '(.*a){25}b',
])('the pattern %s takes little time', (pattern) => {
  expect(milliseconds(() => matchesPattern(pattern, long))).toBeLessThan(1_000)
})

test.each([
  ['^L', 'Launch', 'launch'],
  ['^No\\. \\d+$', 'No. 5', 'No. 5\n'],
  ['^\\u{1F600}.\\p{Lu}$', '😀😀A', '😀😀a'],
  ['^(?<year>\\d{4})$', '2024', '24'],
  ['^[^]$', '\n', ''],
  ['https?:\\/\\/.+\\/', 'http://a/b', 'ftp://a/b'],
  ['^\\(?i:[(?i:]$', 'i:?', '(?i:a'],
])('%s matches as in JavaScript', (pattern, matching, other) => {
  expect(describePatternIssue(pattern)).toBe(null)
  expect([matching, other].map((text) => matchesPattern(pattern, text))).toEqual([true, false])
})

test.each([
  ['(', 'expected a regular expression'],
  ['(?i:a)', 'expected a regular expression'],
  ['a(?=b)', /^expected a regular expression without look-around and back references \(.*\(\?=/],
  ['(?<!a)b', /^expected a regular expression without look-around and back references/],
  ['(a)\\1', /^expected a regular expression without look-around and back references \(.*\\1/],
  ['(?<x>a)\\k<x>', /^expected a regular expression without .* \(back references are not/],
  ['(a{0,1000}){0,1000}', /^expected a regular expression without .*too large/],
])('%s is refused', (pattern, issue) => {
  expect(describePatternIssue(pattern)).toMatch(issue)
})

test('maxPatternWork limits the size of a pattern times the length of a text', () => {
  const pattern = '(?:a?){500}a{500}'
  const size = 1_502
  const limit = Math.floor(maxPatternWork / size)

  for (const length of [limit - 1, limit]) {
    expect(diffWithMatchers({ $pattern: pattern }, 'b'.repeat(length), true)).toHaveLength(1)
  }
  expect(() => matchesPattern(pattern, 'b'.repeat(limit + 1))).toThrow(
    `Failed to match /${pattern}/: it is too large for a text of ${limit + 1} characters. Use smaller repetitions.`,
  )
})

test('a path of many saved values side by side takes little time', () => {
  const path = `/api/${'{id}'.repeat(30)}!`

  expect(milliseconds(() => hasPathOfStep({ method: 'GET', path }, `/api/${long}?`))).toBeLessThan(
    1_000,
  )
})
