import { expect, test } from 'vitest'
import { type Exchange, type RequestStep, recordingOf } from '../../../../src/index.ts'
import { keepEverything } from '../../../../src/scenarios/recording/anonymize.ts'
import { toStep } from '../../../../src/scenarios/recording/to-step.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

type Message = Exchange['request']
const baseUrl = 'https://api.example.com'
const none: Message = { headers: [], body: null }
const typed = (type: string, text: string): Message => ({
  headers: [['content-type', type]],
  body: { text },
})
const json = (text: string): Message => typed('application/json', text)

/** What the step of a request sends, besides method and path: in a recording for people, and in an exact one. */
function sentBy(request: Message): unknown[] {
  const exchange: Exchange = {
    at: '2024-06-15T12:00:00Z',
    ms: 1,
    method: 'POST',
    url: `${baseUrl}/a`,
    request,
    response: { status: 204, headers: [], body: null },
  }
  return [false, true].map((isExact) => {
    const { step } = toStep(keepEverything.exchange(exchange), { baseUrl, isExact }, new Set())
    const { title: _, method, path, expect, ...sent } = step as RequestStep
    return sent
  })
}

test.each([
  ['no body', none, {}, {}],
  [
    'an empty text',
    typed('text/plain', ''),
    { headers: { 'content-type': 'text/plain' } },
    { headers: { 'content-type': 'text/plain' }, text: '' },
  ],
  ['JSON', json('{"a":1}'), { body: { a: 1 } }, { body: { a: 1 } }],
  [
    'JSON with spaces',
    json('{ "a": "b c" }'),
    { body: { a: 'b c' } },
    { headers: { 'content-type': 'application/json' }, text: '{ "a": "b c" }' },
  ],
  [
    'JSON with spaces and quotes',
    json('{ "a \\" b": ["c \\\\", " d"] }'),
    { body: { 'a " b': ['c \\', ' d'] } },
    {
      headers: { 'content-type': 'application/json' },
      text: '{ "a \\" b": ["c \\\\", " d"] }',
    },
  ],
  [
    'a JSON number',
    json('5'),
    { body: 5 },
    { headers: { 'content-type': 'application/json' }, text: '5' },
  ],
  [
    'a JSON null',
    json('null'),
    { body: null },
    { headers: { 'content-type': 'application/json' }, text: 'null' },
  ],
  [
    'JSON that repeats a name',
    json('{"a":1,"a":2}'),
    { headers: { 'content-type': 'application/json' }, text: '{"a":1,"a":2}' },
    { headers: { 'content-type': 'application/json' }, text: '{"a":1,"a":2}' },
  ],
  [
    'no JSON',
    json('{a'),
    { headers: { 'content-type': 'application/json' }, text: '{a' },
    { headers: { 'content-type': 'application/json' }, text: '{a' },
  ],
  [
    'another type',
    typed('text/plain', '{"a":1}'),
    { headers: { 'content-type': 'text/plain' }, text: '{"a":1}' },
    { headers: { 'content-type': 'text/plain' }, body: { a: 1 } },
  ],
  [
    'a text without a type',
    { headers: [], body: { text: 'é' } },
    { text: 'é' },
    { base64: 'w6k=' },
  ],
  ['bytes', { headers: [], body: { base64: 'AAAA' } }, { base64: 'AAAA' }, { base64: 'AAAA' }],
] as const)(
  'a request with %s is sent like this, and byte for byte like that',
  (_, request, sent, exact) => {
    expect(sentBy(request)).toEqual([sent, exact])
  },
)

test.each([
  ['OPTIONS', 200, { allow: 'GET, OPTIONS' }],
  ['DELETE', 405, { allow: 'GET, OPTIONS' }],
  ['GET', 200, undefined],
])('the response to %s with status %i expects the headers %o', (method, status, headers) => {
  const response = { status, headers: [['Allow', 'GET, OPTIONS']] as const, body: null }
  const { scenario } = recordingOf([{ ...createExchange({ method }), response }])

  expect((scenario.steps[0] as RequestStep).expect?.headers).toEqual(headers)
})

test.each([
  ['HEAD', 200, { allow: 'GET' }, {}],
  ['GET', 405, { allow: 'GET' }, { allow: 'GET' }],
  ['OPTIONS', 200, { allow: 'GET' }, { allow: 'GET' }],
])(
  'a response to %s with %i and the headers %j is expected with %j',
  (method, status, headers, expected) => {
    const exchange = { ...createExchange({ method, status }), key: 'all' }
    const response = { status, headers: Object.entries(headers), body: null }

    const { scenario } = recordingOf([{ ...exchange, response }])

    const [{ expect: expectation }] = scenario.steps as [RequestStep]
    expect(expectation?.headers ?? {}).toEqual(expected)
  },
)

test('a body of HEAD is left out, as that of GET', () => {
  const sent = { content: 'Launch' }

  const { warnings } = recordingOf([
    createExchange({ method: 'HEAD', sent }),
    createExchange({ method: 'GET', sent }),
  ])

  expect(warnings).toEqual([
    'steps[0] leaves out the request body, as scenarios send none with HEAD.',
    'steps[1] leaves out the request body, as scenarios send none with GET.',
  ])
})

test('only the default of Accept is left out', () => {
  const headers = { accept: 'application/json', 'x-mode': 'json' }
  const { scenario } = recordingOf([
    createExchange({ headers }),
    createExchange({ headers: { accept: 'text/html' } }),
  ])

  expect((scenario.steps as RequestStep[]).map((step) => step.headers)).toEqual([
    { 'x-mode': 'json' },
    { accept: 'text/html' },
  ])
})
