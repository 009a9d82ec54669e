import { expect, test } from 'vitest'
import { parseInteger } from '../../../../src/http/messages.ts'
import {
  countCodePoints,
  parseDateTime,
  pythonTypeName,
  toPythonString,
} from '../../../../src/utils/python.ts'
import { createRandom } from '../../../support/random.ts'
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

const { dates } = recorded

test('parses and formats dates as the service does', () => {
  expect(dates.map(([text]) => [text, parseDateTime(text)])).toEqual(dates)
})

test('a time as the service writes it is the same with a space in place of the T', () => {
  const random = createRandom(1)
  const digits = (end: number, length = 2) => String(random.below(end)).padStart(length, '0')
  const times = Array.from({ length: 20_000 }, () => {
    const date = [digits(random.pick([3, 10_000]), 4), digits(14), digits(33)].join('-')
    const fraction = random.pick(['', '', '.000000', '.000001', '.120000', '.12', '.1234567'])
    return `${date}T${[digits(26), digits(62), digits(62)].join(':')}${fraction}Z`
  })

  const parsed = times.map(parseDateTime)

  expect(parsed).toEqual(times.map((time) => parseDateTime(time.replace('T', ' '))))
  expect(new Set(parsed.map((time) => time === 'invalid'))).toEqual(new Set([true, false]))
})

test('rejects a long text quickly', () => {
  const text = `2024-01-01 10:00${' '.repeat(1_000_000)}x`
  const start = process.cpuUsage()
  expect(parseDateTime(text)).toBe('invalid')
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
})
