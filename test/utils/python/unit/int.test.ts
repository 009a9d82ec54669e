import { expect, test } from 'vitest'
import { parseInteger } from '../../../../src/utils/python/int.ts'
import { integers } from './int.table.ts'

test('reads what Python reads, and nothing else', () => {
  expect(integers.map(([text]) => [text, parseInteger(text)])).toEqual(integers)
})

test('beyond 2^53 the answer is the nearest number, and in the end Infinity', () => {
  expect(parseInteger('9007199254740993')).toBe(9007199254740992)
  expect(parseInteger(`-1${'0'.repeat(400)}`)).toBe(Number.NEGATIVE_INFINITY)
})

test('more than 4,300 digits are no integer, not even zeros; underscores do not count', () => {
  expect(parseInteger(`+${'0'.repeat(4299)}7`)).toBe(7)
  expect(parseInteger(`${'0_'.repeat(4299)}7`)).toBe(7)
  expect(parseInteger('0'.repeat(4301))).toBeUndefined()
})
