import { expect, test } from 'vitest'
import { describeExpected, diffWithMatchers } from '../../../../src/scenarios/format/compare.ts'

const uuid = '018f2b6e-0000-7000-8000-00000000000a'

test.each([
  ['any', [0, null, '', []], [undefined]],
  ['absent', [undefined], [null, 0]],
  ['id', [1, 9_007_199_254_740_991], [0, -1, 1.5, '1', null]],
  ['uuid', [uuid, uuid.toUpperCase()], [`${uuid}0`, uuid.slice(1), '', 7]],
  ['time', ['2024-06-01T00:00:00Z', '2024-06-01T00:00+02:00'], ['2024-06-01', 'noon', 0, null]],
  ['text', ['', 'a'], [null, 0, ['a']]],
  ['number', [0, -1.5], ['0', null]],
  ['boolean', [true, false], [0, 'true', null]],
  ['list', [[], [1]], [{}, 'a', null]],
  ['object', [{}, { a: 1 }], [[], null, 'a']],
])('$match %s', (name, matching, others) => {
  const matches = (actual: unknown) =>
    diffWithMatchers({ $match: name }, actual, false).length === 0

  expect(matching.filter((value) => !matches(value))).toEqual([])
  expect(others.filter(matches)).toEqual([])
})

test('expected values are described in words', () => {
  expect(describeExpected({ $match: 'uuid' })).toBe('a UUID')
  expect(describeExpected({ $pattern: '^a' })).toBe('a string that matches /^a/')
  expect(describeExpected({ $not: { $match: 'id' } })).toBe('anything but an id')
  expect(describeExpected({ $literal: { $match: 'id' } })).toBe('{"$match":"id"}')
  expect(describeExpected('Launch')).toBe('"Launch"')
})

test('a literal is compared as a whole, a partial value by its own fields only', () => {
  const actual = { $match: 'id', more: [1, { a: 1, b: 2 }] }

  expect(diffWithMatchers({ $literal: { $match: 'id' } }, { $match: 'id' }, false)).toEqual([])
  expect(diffWithMatchers({ more: [1, { a: 1 }] }, actual, false)).toEqual([])
  expect(diffWithMatchers({ more: [1, { a: 1 }] }, { more: actual.more }, true)).toEqual([
    { path: ['more', 1, 'b'], expected: undefined, got: 2 },
  ])
  expect(diffWithMatchers({ more: [1] }, actual, false)).toEqual([
    { path: ['more'], expected: [1], got: actual.more, inLength: true },
  ])
  expect(diffWithMatchers({ a: null }, {}, false)).toEqual([
    { path: ['a'], expected: null, got: undefined },
  ])
})
