import { expect, test } from 'vitest'
import { formatDuration, formatTime } from '../../../src/dashboard/format.ts'
import { formatHash, parseHash } from '../../../src/dashboard/route.ts'
import { describeFault, type FaultRule } from '../../../src/simulator/faults/fault.ts'

const drop = { effect: { drop: true } } as const
const dropped = 'the connection drops before the request is carried out'

test.each<readonly [FaultRule, sentence: string]>([
  [{ ...drop, when: { times: 1 } }, `The first request: ${dropped}`],
  [
    { ...drop, when: { times: 3 }, key: 'all' },
    `The first 3 requests with the key all: ${dropped}`,
  ],
  [
    { effect: { drop: true, delay_ms: 9 }, phase: 'before', when: { skip: 1 } },
    `Every request after the first one: ${dropped}, and the drop is delayed by 9 ms`,
  ],
  [
    { ...drop, when: { skip: 2, times: 1 } },
    `Every request after the first 2, at most 1 time: ${dropped}`,
  ],
  [{ ...drop, when: { every: 3, for_s: 60 } }, `1 in 3 requests, for 60 s: ${dropped}`],
  [{ ...drop, when: { probability: 0.125 } }, `12.5% of requests: ${dropped}`],
  [{ ...drop, when: { probability: 0.5, every: 2 } }, `50% of 1 in 2 requests: ${dropped}`],
  [
    {
      method: 'GET',
      path: '/api/**',
      phase: 'after-commit',
      effect: { error: 'throttled', delay_ms: 2_000 },
    },
    'Every GET request to /api/**: the response is a 429 (throttled), and the response is delayed by 2,000 ms, but the server handled the request',
  ],
])('the fault %j is described as: %s', (rule, sentence) => {
  expect(describeFault(rule)).toBe(sentence)
})

test.each([
  [0.04, '< 0.1 ms'],
  [0.05, '0.1 ms'],
  [10, '10 ms'],
  [1_000, '1.00 s'],
])('a duration of %f ms is shown as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

const time = '2024-06-03T09:00:07'

test.each([
  [`${time}.123456Z`, 'minute', '2024-06-03 09:00'],
  [`${time}.123456Z`, 'millisecond', '2024-06-03 09:00:07.123'],
] as const)('the time %s to the %s is shown as %s', (iso, precision, text) => {
  expect(formatTime(iso, precision)).toBe(text)
})

test.each([
  ['#/', [], null, {}],
  ['#/requests/12?filter=404', ['requests', '12'], null, { filter: '404' }],
  ['#/rows/a%2Fb?in=sandbox-1', ['rows', 'a/b'], 'sandbox-1', {}],
] as const)('the address %j is that of a route', (hash, path, sandbox, params) => {
  expect(parseHash(hash)).toEqual({ path, sandbox, params })
  expect(formatHash(path, sandbox, { ...params, page: '' })).toBe(hash)
  expect(parseHash('#/keys/50%').path).toEqual(['keys', '50%'])
})
