import { expect, test } from 'vitest'
import { mistakesIn, otherClient, type Sent } from './entries.ts'
import { numbers } from './rule-example.ts'

const throttled: Sent = {
  status: 429,
  ms: 40,
  body: { detail: 'Request was throttled. Expected available in 30 seconds.' },
}
const later = (after: number, again: Sent = {}): Sent => ({ ...again, after })

const earlyRetries: readonly [what: string, requests: readonly Sent[], sentence: string | null][] =
  [
    ['at once', [throttled, later(0)], null],
    ['before the response arrived', [throttled, later(0.04)], null],
    ['after the response', [throttled, later(0.041)], 'wait 30 s. The client waited 0.041 s.'],
    ['much too early', [throttled, later(12)], 'wait 30 s. The client waited 12 s.'],
    ['too early', [throttled, later(29.949)], 'wait 30 s. The client waited 29.949 s.'],
    ['as early as a timer', [throttled, later(29.95)], null],
    ['in time', [throttled, later(30)], null],
    ['with another body', [throttled, later(12, { sent: {} })], null],
    ['with another parameter', [throttled, later(12, { query: { limit: '1' } })], null],
    ['with another method', [throttled, later(12, { method: 'HEAD' })], null],
    ['by another client', [throttled, later(12, otherClient)], null],
    ['after a success', [throttled, later(30), later(31)], null],
    [
      'after the time of a header',
      [{ ...throttled, headers: { 'retry-after': '3' } }, later(12)],
      null,
    ],
    [
      'before the time of a header',
      [{ ...throttled, headers: { 'retry-after': '13' } }, later(12)],
      'wait 13 s. The client waited 12 s.',
    ],
    ['after a 429 without a time', [{ ...throttled, body: { detail: 'Wait.' } }, later(1)], null],
    ['after a 429 without a body', [{ ...throttled, body: null }, later(1)], null],
    [
      'after a 503',
      [{ ...throttled, status: 503, headers: { 'retry-after': '13' } }, later(1)],
      null,
    ],
  ]

test.each(earlyRetries)('a throttled request that is repeated %s', (_, requests, sentence) => {
  expect(mistakesIn('early-retry', requests)).toEqual(
    sentence === null ? [] : [{ message: `The 429 says to ${sentence}`, entries: [1, 2] }],
  )
})

const repeat = (times: number, request: Sent) => Array.from({ length: times }, () => request)
const [down, forbidden, found] = [{ status: 503 }, { status: 403 }, { status: 200 }] as const

const endless: readonly [
  what: string,
  requests: readonly Sent[],
  ended: string,
  entries: number[],
][] = [
  ['19 times', repeat(19, down), '', []],
  ['20 times', repeat(20, down), 'with the status 503', numbers(1, 20)],
  ['20 times without a response', repeat(20, { status: 0 }), 'without a response', numbers(1, 20)],
  ['20 times too often', repeat(20, { status: 429 }), 'with the status 429', numbers(1, 20)],
  ['20 times with a 500', repeat(20, { status: 500 }), 'with the status 500', numbers(1, 20)],
  ['20 times with a 499', repeat(20, { status: 499 }), '', []],
  ['20 times with a 428', repeat(20, { status: 428 }), '', []],
  ['with a success on the way', [...repeat(19, down), found, ...repeat(19, down)], '', []],
  ['with a refusal on the way', [...repeat(19, down), forbidden, ...repeat(19, down)], '', []],
  [
    'with different failures',
    [...repeat(10, { status: 0 }), ...repeat(10, down)],
    'with the status 503',
    numbers(1, 20),
  ],
  ['with another request on the way', [...repeat(19, down), { ...down, method: 'HEAD' }], '', []],
  [
    'with 30 seconds in between',
    [...repeat(19, down), later(30, down)],
    'with the status 503',
    numbers(1, 20),
  ],
  ['with more in between', [...repeat(19, down), later(30.001, down)], '', []],
  [
    'every five seconds',
    numbers(1, 20).map((at) => later(5 * at, down)),
    'with the status 503',
    numbers(1, 20),
  ],
  [
    'after each wait that a 429 names',
    numbers(1, 40).map((at) => later(30 * at, throttled)),
    '',
    [],
  ],
]

test.each(endless)('a request that fails %s', (_, requests, ended, entries) => {
  const message = `The client repeated a request that ended ${ended}.`

  expect(mistakesIn('endless-retry', requests)).toEqual(ended ? [{ message, entries }] : [])
})

test.each([400, 401, 403, 405, 406, 415])(
  '15 refusals with the status %i are too many',
  (status) => {
    const message = `The client repeated a request that ended with the status ${status}.`

    expect(mistakesIn('repeated-refusal', repeat(14, { status }))).toEqual([])
    expect(mistakesIn('repeated-refusal', repeat(17, { status }))).toEqual([
      { message, entries: numbers(1, 17) },
    ])
    expect(mistakesIn('endless-retry', repeat(20, { status }))).toEqual([])
  },
)

test.each([200, 304, 409, 410, 429, 503])('the status %i is no refusal', (status) => {
  expect(mistakesIn('repeated-refusal', repeat(20, { status }))).toEqual([])
})

test('a key that is not accepted is refused for each request', () => {
  const of = (status: number) => (id: number) => ({ status, path: `/api/projects/${id}/` })
  const found200 = { path: '/api/projects/' }

  expect(mistakesIn('repeated-refusal', numbers(1, 15).map(of(401)))).toHaveLength(1)
  expect(mistakesIn('repeated-refusal', numbers(1, 15).map(of(403)))).toEqual([])
  expect(
    mistakesIn('repeated-refusal', [...numbers(1, 14).map(of(401)), found200, of(401)(15)]),
  ).toEqual([])
})

/** Requests with a pause in seconds in between. */
const paused = (times: number, seconds: number, request: Sent) =>
  numbers(1, times).map((at) => ({ ...request, after: at * seconds }))

test.each([
  [404, 0.5, 1],
  [404, 0.501, 0],
  [403, 60, 1],
  [403, 60.001, 0],
])('the status %i every %f seconds: %i mistakes', (status, seconds, count) => {
  const found = mistakesIn('repeated-refusal', paused(15, seconds, { status }))

  expect(found).toHaveLength(count)
})

test.each([
  ['a success', found],
  ['another refusal', { status: 405 }],
])('%s ends a row of refusals', (_, other) => {
  const requests = [...repeat(14, forbidden), other, ...repeat(14, forbidden)]

  expect(mistakesIn('repeated-refusal', requests)).toEqual([])
})

const invalid = (attr: string | null, sent: unknown): Sent => ({
  status: 400,
  body: { attr },
  sent,
})
const each15 = (request: (at: number) => Sent) => numbers(1, 15).map(request)

const refused: readonly [what: string, requests: readonly Sent[], count: number][] = [
  [
    'one field, beside others',
    each15((at) => invalid('scope', { scope: 'x', content: `${at}` })),
    1,
  ],
  ['one field with other values', each15((at) => invalid('scope', { scope: `${at}` })), 0],
  ['a field that was not sent', each15((at) => invalid('scope', { content: `${at}` })), 0],
  ['no field, with other bodies', each15((at) => invalid(null, { content: `${at}` })), 0],
  ['no field, with the same body', each15(() => invalid(null, { content: 'x' })), 1],
  ['the key, with other bodies', each15((at) => ({ ...forbidden, sent: { content: `${at}` } })), 1],
]

test.each(refused)('15 refusals of %s', (_, requests, count) => {
  expect(mistakesIn('repeated-refusal', requests)).toHaveLength(count)
})

test('bodies are compared by their length and their first 1,000 characters', () => {
  const body = (end: string) => invalid(null, 'x'.repeat(1_200) + end)
  const requests = [...repeat(14, body('a')), body('b')]

  expect(mistakesIn('repeated-refusal', requests)).toHaveLength(1)
  expect(mistakesIn('repeated-refusal', [...repeat(14, body('a')), body('bc')])).toEqual([])
})
