import { expect, test } from 'vitest'
import { describeExpected, diffWithMatchers } from '../../../../src/scenarios/format/matching.ts'
import { escapeLiterals, fillForSending } from '../../../../src/scenarios/format/values.ts'

const saved = new Map<string, unknown>([
  ['id', 5],
  ['none', null],
  ['row', { a: 1 }],
])

/** A value, and how it is written so that it means itself. */
test.each<[unknown, unknown]>([
  [{ $match: 'id' }, { $literal: { $match: 'id' } }],
  [{ a: 1, $b: 2 }, { $literal: { a: 1, $b: 2 } }],
  [{ a: [{ $b: { $c: 1 } }, { d: 1 }] }, { a: [{ $literal: { $b: { $c: 1 } } }, { d: 1 }] }],
  [
    { a: '$b', c$: 1 },
    { a: '$b', c$: 1 },
  ],
])('%j is escaped as %j', (value, escaped) => {
  expect(escapeLiterals(value)).toEqual(escaped)
  expect(fillForSending(escaped, saved)).toEqual(value)
})

/** An expectation, a value, whether it is as expected in part, and whether it is exactly. */
test.each<[unknown, unknown, boolean, boolean]>([
  [{ $match: 'id' }, 1, true, true],
  [{ $match: 'id' }, 'a', false, false],
  [{ $match: 'id' }, 0, false, false],
  [{ $match: 'time' }, '2024-06-01T12:00:00+02:00', true, true],
  [{ $match: 'other' }, { $match: 'other' }, true, true],
  [{ $literal: { a: 1 } }, { a: 1, b: 2 }, true, false],
  [{ $literal: { $match: 'id' } }, 1, false, false],
  [{ $saved: 'id' }, { $saved: 'id' }, true, true],
  [{ a: [{ $match: 'any' }] }, { a: [null], b: 1 }, true, false],
])('%j and %j match in part: %j, and exactly: %j', (expected, actual, inPart, exactly) => {
  const matches = [false, true].map((isExact) => diffWithMatchers(expected, actual, isExact))

  expect(matches.map(({ length }) => length === 0)).toEqual([inPart, exactly])
})

test.each([
  [{ $match: 'other' }, '{"$match":"other"}'],
  [{ $saved: 'id' }, '"id"'],
  [undefined, 'nothing'],
])('%j is described as %s', (expected, description) => {
  expect(describeExpected(expected)).toBe(description)
})
