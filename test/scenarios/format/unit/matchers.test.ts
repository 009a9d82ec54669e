import { expect, test } from 'vitest'
import { describeExpected, diffWithMatchers } from '../../../../src/scenarios/format/matchers.ts'

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
])('$match %s', (word, holds, fails) => {
  const matches = (got: unknown) => diffWithMatchers({ $match: word }, got, false).length === 0

  expect(holds.filter((value) => !matches(value))).toEqual([])
  expect(fails.filter(matches)).toEqual([])
})

test('what stands for others is told in words', () => {
  expect(describeExpected({ $match: 'uuid' })).toBe('a UUID')
  expect(describeExpected({ $pattern: '^a' })).toBe('a text that matches /^a/')
  expect(describeExpected({ $not: { $match: 'id' } })).toBe('anything but an id')
  expect(describeExpected({ $literal: { $match: 'id' } })).toBe('{"$match":"id"}')
  expect(describeExpected('Launch')).toBe('"Launch"')
})

test('a literal is compared as a whole, a part only by what it names', () => {
  const got = { $match: 'id', more: [1, { a: 1, b: 2 }] }

  expect(diffWithMatchers({ $literal: { $match: 'id' } }, { $match: 'id' }, false)).toEqual([])
  expect(diffWithMatchers({ more: [1, { a: 1 }] }, got, false)).toEqual([])
  expect(diffWithMatchers({ more: [1, { a: 1 }] }, { more: got.more }, true)).toEqual([
    { path: ['more', 1, 'b'], expected: undefined, got: 2 },
  ])
  expect(diffWithMatchers({ more: [1] }, got, false)).toEqual([
    { path: ['more'], expected: [1], got: got.more, inLength: true },
  ])
  expect(diffWithMatchers({ a: null }, {}, false)).toEqual([
    { path: ['a'], expected: null, got: undefined },
  ])
})
