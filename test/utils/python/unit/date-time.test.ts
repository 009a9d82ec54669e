import { expect, test } from 'vitest'
import { parseDateTime } from '../../../../src/utils/python.ts'
import { createRandom } from '../../../support/random.ts'
import { recorded } from './recorded.ts'

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
