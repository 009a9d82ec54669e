import { expect, test } from 'vitest'
import { parseCommonTime } from '../../../../src/utils/python/common-time.ts'
import { parseDateTime } from '../../../../src/utils/python/date-time.ts'
import { milliseconds } from '../../../support/milliseconds.ts'
import { createRandom } from '../../../support/random.ts'
import { dates } from './date-time.table.ts'

test('parses and formats dates as the service does', () => {
  expect(dates.map(([text]) => [text, parseDateTime(text)])).toEqual(dates)
})

test('formats a time in UTC', () => {
  expect(parseDateTime('2024-06-03T09:00:00+02:00')).toBe('2024-06-03T07:00:00Z')
  expect(parseDateTime('2024-06-03 09:00')).toBe('2024-06-03T09:00:00Z')
})

test('truncates a fraction to microseconds and writes it with six digits, or omits it if it is zero', () => {
  expect(parseDateTime('2024-06-03T09:00:00.123Z')).toBe('2024-06-03T09:00:00.123000Z')
  expect(parseDateTime('2024-06-03T09:00:00.1234569Z')).toBe('2024-06-03T09:00:00.123456Z')
  expect(parseDateTime('2024-06-03T09:00:00.0000009Z')).toBe('2024-06-03T09:00:00Z')
})

test('parsing a formatted time returns the same time', () => {
  const formatted = dates.map(([, result]) => result).filter((result) => result.endsWith('Z'))
  expect(formatted.map(parseDateTime)).toEqual(formatted)
})

test('does not read the years 1 to 99 as 1901 to 1999', () => {
  expect(parseDateTime('0024-02-29')).toBe('0024-02-29T00:00:00Z')
  expect(parseDateTime('0001-01-01T00:00:00+00:01')).toBe('overflow')
})

test('the fast path for the format of the service accepts the same times as the general parser', () => {
  const random = createRandom(1)
  const digits = (end: number, length = 2) => String(random.below(end)).padStart(length, '0')
  const times = Array.from({ length: 20_000 }, () => {
    const date = [digits(random.pick([3, 10_000]), 4), digits(14), digits(33)].join('-')
    const fraction = random.pick(['', '', '.000000', '.000001', '.120000', '.12', '.1234567'])
    return `${date}T${[digits(26), digits(62), digits(62)].join(':')}${fraction}Z`
  })

  const parsed = times.map(parseDateTime)

  // A space instead of the T avoids the fast path.
  expect(parsed).toEqual(times.map((time) => parseDateTime(time.replace('T', ' '))))
  expect(new Set(parsed.map((time) => time === 'invalid'))).toEqual(new Set([true, false]))
})

test.each([
  ['2024-06-03T09:00:00.000Z', '2024-06-03T09:00:00Z'],
  ['2024-06-03T09:00:00.123Z', '2024-06-03T09:00:00.123000Z'],
  ['2024-06-03T09:00:00.123456789Z', '2024-06-03T09:00:00.123456Z'],
  ['2024-06-03T00:30:00+02:00', '2024-06-02T22:30:00Z'],
  ['2024-02-28T23:30:00.5-01:00', '2024-02-29T00:30:00.500000Z'],
  ['2024-06-03T09:00:00', '2024-06-03T09:00:00Z'],
  ['2024-06-03 09:00:00', '2024-06-03T09:00:00Z'],
  ['2024-06-03 09:00', '2024-06-03T09:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2023-02-29', undefined],
  ['0001-01-01T00:00:00+00:01', undefined],
  ['2024-W05', undefined],
])('the parser of common times reads %s', (text, expected) => {
  expect(parseCommonTime(text)).toBe(expected)
})

test('the parser of common times returns what the general parser returns, or nothing', () => {
  const random = createRandom(2)
  const digits = (end: number, length = 2) => String(random.below(end)).padStart(length, '0')
  const ends = ['', 'Z', 'Z', 'z', '+00:00', '-00:00', ' Z', '+2:00', '+0200', 'Z ', '\n']
  const odd = ['\u0663', '\0', 'x', '0', '-', ':', '.', ' ', '\ud800', '']
  const times = Array.from({ length: 100_000 }, () => {
    const year = digits(random.pick([3, 10_000, 10_000]), 4)
    const date = [year, digits(13), digits(random.pick([29, 33]))].join('-')
    const clock = [digits(25), digits(61), ...random.pick([[], [digits(61)]])].join(':')
    const fraction = `.${digits(1_000, 3)}${random.pick(['', '000', '456', '4567'])}`
    const offset = `${random.pick(['+', '-'])}${digits(25)}:${digits(61)}`
    const time = `${clock}${random.pick(['', '', fraction, '.', ',5'])}`
    const zone = random.pick([offset, random.pick(ends)])
    const text = `${date}${random.pick(['T', 'T', ' ', 't', '_', ''])}${time}${zone}`
    const whole = random.pick([text, text, text, date])
    const at = random.below(whole.length)
    return random.below(10) > 0
      ? whole
      : whole.slice(0, at) + random.pick(odd) + whole.slice(at + 1)
  })

  const parsed = times.filter((time) => parseCommonTime(time) !== undefined)

  expect(parsed.length).toBeGreaterThan(20_000)
  expect(parsed.map(parseCommonTime)).toEqual(parsed.map(parseDateTime))
})

test('rejects a long text quickly', () => {
  const text = `2024-01-01 10:00${' '.repeat(1_000_000)}x`
  expect(milliseconds(() => expect(parseDateTime(text)).toBe('invalid'))).toBeLessThan(2_000)
})
