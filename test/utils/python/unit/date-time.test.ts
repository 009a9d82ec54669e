import { expect, test } from 'vitest'
import { parseDateTime } from '../../../../src/utils/python/date-time.ts'
import { dates } from './date-time.table.ts'

test('reads and writes dates as the service does', () => {
  expect(dates.map(([text]) => [text, parseDateTime(text)])).toEqual(dates)
})

test('a moment is written in UTC, whatever its zone', () => {
  expect(parseDateTime('2024-06-03T09:00:00+02:00')).toBe('2024-06-03T07:00:00Z')
  expect(parseDateTime('2024-06-03 09:00')).toBe('2024-06-03T09:00:00Z')
})

test('a fraction is cut to microseconds and written with six digits, or left out at zero', () => {
  expect(parseDateTime('2024-06-03T09:00:00.123Z')).toBe('2024-06-03T09:00:00.123000Z')
  expect(parseDateTime('2024-06-03T09:00:00.1234569Z')).toBe('2024-06-03T09:00:00.123456Z')
  expect(parseDateTime('2024-06-03T09:00:00.0000009Z')).toBe('2024-06-03T09:00:00Z')
})

test('what is written is read again as the same', () => {
  const written = dates.map(([, answer]) => answer).filter((answer) => answer.endsWith('Z'))
  expect(written.map(parseDateTime)).toEqual(written)
})

test('the years 1 to 99 are not taken for 1901 to 1999', () => {
  expect(parseDateTime('0024-02-29')).toBe('0024-02-29T00:00:00Z')
  expect(parseDateTime('0001-01-01T00:00:00+00:01')).toBe('overflow')
})

test('a long text is refused in no time', { timeout: 2000 }, () => {
  expect(parseDateTime(`2024-01-01 10:00${' '.repeat(1_000_000)}x`)).toBe('invalid')
})
