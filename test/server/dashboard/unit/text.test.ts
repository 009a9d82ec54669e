import { expect, test } from 'vitest'
import type { FaultEffect, FaultWhen } from '../../../../src/sandbox/faults/rule.ts'
import {
  describeEffect,
  describeWhen,
  formatCount,
  formatDateTime,
  formatDuration,
  matchesWords,
} from '../../../../src/server/dashboard/kit/format.ts'

test.each<[FaultEffect, string]>([
  [{ error: 'throttled' }, 'error throttled'],
  [{ status: 503, delay_ms: 2_000 }, 'status 503, delayed by 2,000 ms'],
  [{ drop: true }, 'connection dropped'],
  [{ cut_bytes: 1 }, 'connection dropped after 1 byte'],
  [
    { slow_bytes_per_s: 50_000, delay_ms: { min: 10, max: 20 } },
    'body sent at 50,000 bytes/s, delayed by 10 to 20 ms',
  ],
  [{ delay_ms: { median: 100, p95: 400 } }, 'delayed by 100 ms (median, 95th percentile 400 ms)'],
  [{ stale: { writes: 2 } }, 'rows as of 2 writes ago'],
])('the effect %j is described as "%s"', (effect, text) => {
  expect(describeEffect(effect)).toBe(text)
})

test.each<[FaultWhen, string]>([
  [{ probability: 0.05 / 0.9 }, '5.6% of requests'],
  [{ skip: 1, every: 3, times: 1 }, 'after the first request, 1 in 3 requests, at most 1 time'],
  [{}, ''],
])('the condition %j is described as "%s"', (when, text) => {
  expect(describeWhen(when)).toBe(text)
})

test('numbers, times and durations are formatted for reading', () => {
  const time = '2024-06-03T09:00:00.123456Z'

  expect([formatCount(1, 'key'), formatCount(1_200, 'key')]).toEqual(['1 key', '1,200 keys'])
  expect(formatCount(0, 'policy', 'policies')).toBe('0 policies')
  expect([formatDateTime(time, 'minute'), formatDateTime(time, 'millisecond')]).toEqual([
    '2024-06-03 09:00',
    '2024-06-03 09:00:00.123',
  ])
  expect(formatDateTime('2024-06-03T09:00:00Z', 'millisecond')).toBe('2024-06-03 09:00:00')
  expect([0.04, 0.44, 12.6, 1_204].map((ms) => formatDuration({ ms }))).toEqual([
    '< 0.1 ms',
    '0.4 ms',
    '13 ms',
    '1.20 s',
  ])
})

test('a search matches texts that contain all its words, in any order and case', () => {
  const text = 'annotations.delete.status What does DELETE return?'

  expect(
    ['', 'delete STATUS', 'return annotations', 'delete plugins'].map((search) =>
      matchesWords(text, search),
    ),
  ).toEqual([true, true, true, false])
})
