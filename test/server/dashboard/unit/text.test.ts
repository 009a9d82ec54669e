import { expect, test } from 'vitest'
import type { FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import { formatHash, parseHash } from '../../../../src/server/dashboard/kit/context.ts'
import {
  countFaults,
  describeFault,
  formatCount,
  formatDateTime,
  formatDuration,
  matchesWords,
  splitErrors,
} from '../../../../src/server/dashboard/kit/format.ts'
import type { Path } from '../../../../src/utils/usage-error.ts'

test.each<[FaultRule, string]>([
  [
    { effect: { drop: true } },
    'Every request: the connection drops before the request is carried out',
  ],
  [
    { when: { probability: 0.05 / 0.9 }, phase: 'after-commit', effect: { drop: true } },
    '1 in 18 requests: the connection drops after the server handled the request',
  ],
  [
    { operation: 'listAnnotations', when: { times: 1 }, effect: { error: 'throttled' } },
    'The first listAnnotations request: the response is a 429 (throttled)',
  ],
  [
    { method: ['POST', 'PUT'], when: { times: 3 }, effect: { status: 503, delay_ms: 2_000 } },
    'The first 3 POST, PUT requests: the response is a 503, and the response is delayed by 2,000 ms',
  ],
  [
    {
      path: '/api/*',
      when: { skip: 1, every: 3, times: 1 },
      effect: { drop: true },
    },
    '1 in 3 requests to /api/* after the first one, at most 1 time: the connection drops before the request is carried out',
  ],
  [
    {
      key: 'all',
      when: { probability: 0.8 },
      phase: 'after-commit',
      effect: { error: 'server_error' },
    },
    '80% of requests with the key all: the response is a 500 (server error), but the server handled the request',
  ],
  [
    { when: { every: 2, probability: 0.1 }, effect: { cut_bytes: 1 } },
    '10% of 1 in 2 requests: the connection drops after 1 byte of the body',
  ],
  [
    { operation: 'listPlugins', effect: { variant: 'empty_page' } },
    'Every listPlugins request: the page is empty although its next leads to the rows',
  ],
  [
    { effect: { variant: { kind: 'null', field: 'created_by' }, delay_ms: 5 } },
    'Every request: created_by is null, and the response is delayed by 5 ms',
  ],
  [
    { effect: { hold: true, delay_ms: { min: 100, max: 400 } } },
    'Every request: the request waits until the fault is removed, and the response is delayed by 100 to 400 ms',
  ],
])('a fault rule is described: $1', (rule, text) => {
  expect(describeFault(rule)).toBe(text)
})

test('a fault that applied as often as it may does not count as one that still applies', () => {
  const [once, twice] = [{ when: { times: 1 } }, { when: { times: 2, skip: 1 } }]

  expect(countFaults([{ ...once, applied: 0 }])).toBe('1 fault')
  expect(countFaults([{ ...once, applied: 1 }])).toBe('1 fault used up')
  expect(
    countFaults([
      { ...once, applied: 1 },
      { ...twice, applied: 1 },
      { applied: 9 },
      { when: {}, applied: 9 },
    ]),
  ).toBe('3 faults, 1 used up')
  expect(
    countFaults([
      { ...once, applied: 1 },
      { ...twice, applied: 2 },
    ]),
  ).toBe('2 faults used up')
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

test('the URL of a view holds its path, its settings and its sandbox', () => {
  const route = { path: ['world', 'a b/c'], sandbox: 'sandbox-1', params: { search: 'x & y' } }
  const hash = formatHash(route.path, route.sandbox, { ...route.params, page: '' })

  expect(hash).toBe('#/world/a%20b%2Fc?search=x+%26+y&in=sandbox-1')
  expect(parseHash(hash)).toEqual(route)
  expect([parseHash(''), parseHash('#/%')]).toEqual([
    { path: [], sandbox: null, params: {} },
    { path: ['%'], sandbox: null, params: {} },
  ])
})

test('errors of the server are shown at the fields they name, and others below them', () => {
  const split = (error: { field?: string; details?: { path: Path; text: string }[] }) =>
    splitErrors({ message: 'A sentence.', ...error }, ['scopes', 'user'])
  const user = { path: ['user'], text: 'expected an id' }
  const scope = { path: ['scopes', 0], text: 'expected a scope' }
  const other = { path: ['other', 1], text: 'expected it' }

  expect(split({ details: [scope, user, other] })).toEqual({
    general: 'other[1]: expected it',
    fields: { scopes: 'Expected a scope', user: 'Expected an id' },
  })
  expect(split({ details: [user], field: 'user' })).toEqual({
    general: '',
    fields: { user: 'Expected an id' },
  })
  expect(split({ details: [other] })).toEqual({ general: 'A sentence.', fields: {} })
  expect(split({ field: 'scopes[0]' })).toEqual({ general: '', fields: { scopes: 'A sentence.' } })
  expect(split({})).toEqual({ general: 'A sentence.', fields: {} })
})
