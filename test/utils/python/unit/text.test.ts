import { expect, test } from 'vitest'
import { parseInteger } from '../../../../src/http/messages.ts'
import { countCodePoints, pythonTypeName, toPythonString } from '../../../../src/utils/python.ts'
import { recorded } from './recorded.ts'

const { integers, texts } = recorded

test('converts JSON values to text as Python does, and names their types', () => {
  const results = texts.map(([value]) => [value, toPythonString(value), pythonTypeName(value)])
  expect(results).toEqual(texts)
})

test('counts code points', () => {
  expect(['', 'a', '🦔', '\ud800 '].map(countCodePoints)).toEqual([0, 1, 1, 2])
})

test('a number that is too large for JavaScript is infinite, as in Python', () => {
  expect(toPythonString(JSON.parse('[1e400, -1e400]'))).toBe('[inf, -inf]')
})

test('parses the integers that Python parses, and no other text', () => {
  expect(integers.map(([text]) => [text, parseInteger(text) ?? null])).toEqual(integers)
})

test('returns the nearest number beyond 2^53, and Infinity beyond the largest number', () => {
  expect(parseInteger('9007199254740993')).toBe(9007199254740992)
  expect(parseInteger(`-1${'0'.repeat(400)}`)).toBe(Number.NEGATIVE_INFINITY)
})
