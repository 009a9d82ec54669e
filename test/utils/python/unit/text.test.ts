import { expect, test } from 'vitest'
import {
  countCodePoints,
  pythonTypeName,
  splitWords,
  stripWhiteSpace,
  toPythonString,
} from '../../../../src/utils/python/text.ts'
import { strips, texts } from './text.table.ts'

test('writes JSON values as Python does, and names their types', () => {
  const answers = texts.map(([value]) => [value, toPythonString(value), pythonTypeName(value)])
  expect(answers).toEqual(texts)
})

test('strips, splits and measures text as Python does', () => {
  const answers = strips.map(([text]) => [
    text,
    stripWhiteSpace(text),
    splitWords(text),
    countCodePoints(text),
  ])
  expect(answers).toEqual(strips)
})

test('what JSON.parse lost cannot be shown: 1.0 is an int here', () => {
  const value = JSON.parse('[1.0, -0, 1e3]')
  expect(toPythonString(value)).toBe('[1, 0, 1000]')
})

test('a number too large for JavaScript is infinite, as in Python', () => {
  expect(toPythonString(JSON.parse('[1e400, -1e400]'))).toBe('[inf, -inf]')
})

test('100,000 nested lists are written', () => {
  const depth = 100_000
  const value = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  expect(toPythonString(value)).toBe('['.repeat(depth) + ']'.repeat(depth))
})
