import { expect, test } from 'vitest'
import { KeyRedactor } from '../../../../src/sandbox/journal/render-parts.ts'
import type { RequestStep, Step } from '../../../../src/scenarios/format/scenario.ts'
import {
  RequestMatcher,
  toTrackedRequests,
} from '../../../../src/scenarios/replay-server/match-request.ts'
import type { IncomingRequest } from '../../../../src/scenarios/replay-server/request.ts'

const redactor = new KeyRedactor(['phx_abcdefg'])

/** A request such as `GET /a?b=1`, which has another body only if one is given. */
function incoming(request: string, more: Partial<IncomingRequest> = {}): IncomingRequest {
  const [method = '', url = ''] = request.split(' ')
  const [path = '', query] = url.split('?')
  return {
    method,
    path,
    query: [...new URLSearchParams(query)],
    key: null,
    header: () => null,
    text: '',
    base64: () => '',
    body: undefined,
    ...more,
  }
}

/** A step such as `GET /a`. */
function toStep(request: string): RequestStep {
  const [method = '', path = ''] = request.split(' ')
  return { method, path }
}

/** A recording of requests such as `GET /a`, and of changes between them. `answered` has the indexes of some. */
function record(requests: readonly (string | Step)[], answered: readonly number[] = []) {
  const steps = requests.map((one) => (typeof one === 'string' ? toStep(one) : one))
  const recorded = toTrackedRequests({ title: 'A', steps })
  for (const one of recorded) one.count = Number(answered.includes(one.index))
  const matcher = new RequestMatcher(recorded, '')
  return {
    recorded,
    matcher,
    strict: (request: string) => matcher.match(incoming(request), 'strict')?.index,
    loose: (request: string, more = {}) => matcher.match(incoming(request, more), 'loose')?.index,
    nearest: (request: string, more = {}) => matcher.nearest(incoming(request, more), redactor),
  }
}

test('requests are tracked by the index of their step, and only reads are no writes', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
  const { recorded } = record([{ reset: true }, ...methods.map((method) => `${method} /a`)])

  expect(recorded).toEqual(
    methods.map((method, at) => ({
      index: at + 1,
      step: { method, path: '/a' },
      isWrite: at > 2,
      count: 0,
    })),
  )
})

const story = ['GET /a', 'GET /b', 'POST /a', 'GET /a', 'GET /c', 'POST /b', 'GET /a']

test.each([
  [[], 'GET /a', 0],
  [[], 'GET /b', 1],
  [[], 'GET /c', undefined],
  [[], 'POST /a', 2],
  [[], 'POST /b', undefined],
  [[0], 'GET /a', undefined],
  // After a write, the read after it comes first, and then the one before it.
  [[2], 'GET /a', 3],
  [[2, 3], 'GET /a', 0],
  [[0, 2, 3], 'GET /a', undefined],
  [[2], 'GET /b', 1],
  [[2], 'POST /b', 5],
  [[2], 'POST /a', undefined],
  [[2, 5], 'GET /a', 6],
  [[2, 5, 6], 'GET /a', 0],
  [[0, 2, 5, 6], 'GET /a', 3],
  [[2, 5], 'GET /c', 4],
  [[], 'GET /a?b=1', undefined],
  [[], 'PUT /a', undefined],
])('with the steps %j answered, %s gets the answer of %j', (answered, request, index) => {
  const { matcher, strict } = record(story, answered)

  expect(strict(request)).toBe(index)
  expect(matcher.match(incoming(request), 'fallback')?.index).toBe(index)
})

test.each([
  [[], 'GET /a', 0],
  [[0], 'GET /a', 2],
  [[0, 2], 'GET /a', 2],
  [[], 'GET /a?b=1&c=2', 1],
  [[1], 'GET /a?b=1&c=2', 1],
  [[], 'GET /a?c=1&d=1', 0],
  [[], 'POST /a', undefined],
  [[], 'POST /b', 3],
  [[], 'GET /c', undefined],
])('loosely, with the steps %j answered, %s gets the answer of %j', (answered, request, index) => {
  expect(record(['GET /a', 'GET /a?b=1', 'GET /a', 'POST /b'], answered).loose(request)).toBe(index)
})

test.each([
  // A path weighs more than a method, and a method more than other differences.
  [['GET /a', 'POST /b'], 'POST /a', 0, ['method: expected GET, got POST']],
  [
    ['POST /a', 'GET /a?b=1&c=1&d=1'],
    'GET /a',
    1,
    [
      'query.b: expected "1", got nothing',
      'query.c: expected "1", got nothing',
      'query.d: expected "1", got nothing',
    ],
  ],
  [['GET /xyz', 'GET /xy', 'GET /wxyz'], 'GET /x', 1, ['path: expected /xy, got /x']],
  [['GET /xyz', 'POST /xy'], 'GET /xz', 0, ['path: expected /xyz, got /xz']],
  [['GET /a', 'GET /a'], 'GET /a?b=1', 0, ['query.b: expected nothing, got "1"']],
  [
    // Of a path, two hundred characters are compared.
    [`GET /${'x'.repeat(199)}abc`, `GET /${'x'.repeat(198)}yz`],
    `GET /${'x'.repeat(199)}z`,
    0,
    ['path: expected /…, got /…'],
  ],
] as const)('of %j, the nearest to %s is %i', (requests, request, index, differences) => {
  const { nearest } = record(requests)
  const { step, title, differences: found } = nearest(request) ?? {}

  expect([step, title]).toEqual([index + 1, requests[index]])
  expect(found?.map((line) => line.replace(/\/x{99,}\w*/g, '/…'))).toEqual(differences)
})

test('another path is further away than twelve other differences', () => {
  const query = [...'bcdefghijklm'].map((name) => `${name}=1`).join('&')

  expect(record([`GET /a?${query}`, 'GET /b']).nearest('GET /a')?.step).toBe(1)
})

test('without a recorded request, none is the nearest', () => {
  expect(record([]).nearest('GET /a')).toBe(null)
})

test.each([
  [['GET /a'], [0], 'GET /a', 'times: expected one such request, got another one'],
  [['GET /a', 'POST /a'], [0], 'GET /a', 'times: expected one such request, got another one'],
  [['POST /a', 'GET /a'], [], 'GET /a', 'order: expected step 1 (POST /a) before this request'],
  [
    [{ reset: true }, 'POST /b', { ...toStep('POST /c'), title: 'third' }, 'GET /a'],
    [1],
    'GET /a',
    'order: expected step 3 (third) before this request',
  ],
] as const)(
  'of %j with the steps %j answered, %s is too early or too late',
  (requests, answered, request, difference) => {
    const { nearest, strict } = record(requests, answered)

    expect(strict(request)).toBe(undefined)
    expect(nearest(request)?.differences).toEqual([difference])
  },
)

test('the one that was not answered yet is nearer by less than a difference', () => {
  const requests = ['GET /a', 'GET /a?b=1', 'GET /a?c=1']

  expect(record(requests, [0]).nearest('GET /a')?.step).toBe(1)
  expect(record(requests, [1]).nearest('GET /a?d=1')?.step).toBe(1)
  expect(record(requests, [0, 1]).nearest('GET /a?b=2')?.step).toBe(1)
  expect(record(['GET /a', 'GET /a'], [0]).nearest('GET /a?b=1')?.step).toBe(2)
})

test('the values of an answer change what later requests must have', () => {
  const { matcher, strict } = record(['GET /a/{id}', 'GET /b'])
  const before = strict('GET /a/5')
  matcher.fill(new Map([['id', 5]]))
  const filled = strict('GET /a/5')
  matcher.fill(new Map([['id', 6]]))

  expect([before, filled, strict('GET /a/5'), strict('GET /a/6')]).toEqual([
    undefined,
    0,
    undefined,
    0,
  ])
})

test('differences hide keys', () => {
  const { nearest } = record([
    {
      ...toStep('POST /phx_abcdefg?token=abcdefgh&a=phx_abcdefg'),
      headers: { authorization: 'Bearer phx_abcdefg', 'x-mark': 'phx_abcdefg' },
      body: { password: 'abc', list: [{ phx_abcdefg: 'phx_abcdefg' }] },
    },
  ])

  expect(
    nearest('POST /phx_abcdefg/a', { body: { list: [{ phx_abcdefg: 1 }] } })?.differences,
  ).toEqual([
    'path: expected /phx_…, got /phx_…/a',
    'query.a: expected "phx_…", got nothing',
    'query.token: expected "…", got nothing',
    'headers.authorization: expected "Bearer phx_…", got nothing',
    'headers.x-mark: expected "phx_…", got nothing',
    'body.password: expected "…", got nothing',
    'body.list[0].phx_…: expected "phx_…", got 1',
  ])
})
