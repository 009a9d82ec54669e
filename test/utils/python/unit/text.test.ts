import { expect, test } from 'vitest'
import { countCodePoints, pythonTypeName, toPythonString } from '../../../../src/utils/python.ts'
import { recorded } from './recorded.ts'

const { texts } = recorded

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
