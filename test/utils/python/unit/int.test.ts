import { expect, test } from 'vitest'
import { parseInteger } from '../../../../src/utils/python.ts'
import { recorded } from './recorded.ts'

const { integers } = recorded

test('parses the integers that Python parses, and no other text', () => {
  expect(integers.map(([text]) => [text, parseInteger(text) ?? null])).toEqual(integers)
})

test('returns the nearest number beyond 2^53, and Infinity beyond the largest number', () => {
  expect(parseInteger('9007199254740993')).toBe(9007199254740992)
  expect(parseInteger(`-1${'0'.repeat(400)}`)).toBe(Number.NEGATIVE_INFINITY)
})
