import { expect, test } from 'vitest'
import type { Exchange } from '../../../../src/index.ts'
import { keepEverything } from '../../../../src/scenarios/recording/anonymize.ts'
import { toStep } from '../../../../src/scenarios/recording/to-step.ts'
import { createExchange, exampleOrigin } from '../../../support/scenarios/exchanges.ts'

type Response = Exchange['response']

function record(exchange: Exchange, isExact: boolean) {
  const options = { baseUrl: exampleOrigin, isExact }
  return toStep(keepEverything.exchange(exchange), options, new Set())
}

/** What is expected of a response: in a recording for people, and in an exact one. */
function expectedOf(response: Partial<Response>, method = 'GET'): unknown[] {
  const complete: Response = { status: 200, headers: [], body: null, ...response }
  const exchange = { ...createExchange({ method }), response: complete }
  return [false, true].map((isExact) => record(exchange, isExact).step?.expect)
}

const typed = (type: string, text: string): Partial<Response> => ({
  headers: [['Content-Type', type]],
  body: { text },
})

test.each<readonly [string, Partial<Response>, unknown, unknown]>([
  ['no body', {}, { status: 200, text: '' }, { status: 200, text: '' }],
  ['an empty text', { body: { text: '' } }, { status: 200, text: '' }, { status: 200, text: '' }],
  [
    'JSON',
    typed('application/json', '{ "a": 1 }'),
    { status: 200, exact_body: { a: 1 } },
    { status: 200, headers: { 'content-type': 'application/json' }, text: '{ "a": 1 }' },
  ],
  [
    'JSON of another type',
    typed('text/plain', '[1]'),
    { status: 200, headers: { 'content-type': 'text/plain' }, exact_body: [1] },
    { status: 200, headers: { 'content-type': 'text/plain' }, text: '[1]' },
  ],
  [
    'JSON with names that begin with $ or are escaped',
    { body: { text: '{"a":{"$b":1},"\\u0024c":2}' } },
    { status: 200, exact_body: { $literal: { a: { $b: 1 }, $c: 2 } } },
    { status: 200, text: '{"a":{"$b":1},"\\u0024c":2}' },
  ],
  [
    'JSON with $ in a text',
    { body: { text: '{"a":"$b"}' } },
    { status: 200, exact_body: { a: '$b' } },
    { status: 200, text: '{"a":"$b"}' },
  ],
  [
    'JSON with bytes that are no text',
    { body: { text: '"\ufffd"' } },
    { status: 200, text: '"\ufffd"' },
    { status: 200, text: '"\ufffd"' },
  ],
  [
    'a text',
    typed('text/html', '<p>{a}'),
    { status: 200, headers: { 'content-type': 'text/html' }, text: '<p>{a}' },
    { status: 200, headers: { 'content-type': 'text/html' }, text: '<p>{a}' },
  ],
  [
    'a text with the base URL',
    { body: { text: `{a} ${exampleOrigin}/b ${exampleOrigin}` } },
    { status: 200, text: `{a} ${exampleOrigin}/b ${exampleOrigin}` },
    { status: 200, text: { $text: '{{a}} {base_url}/b {base_url}' } },
  ],
  [
    'bytes',
    { body: { base64: 'AAAA' } },
    { status: 200, base64: 'AAAA' },
    { status: 200, base64: 'AAAA' },
  ],
  ['a body that was not stored', { body: { omitted: 5 } }, { status: 200 }, { status: 200 }],
  ['a broken connection', { status: 0, body: { text: 'a' } }, { broken: true }, { broken: true }],
  ['the status 599', { status: 599 }, { status: 599, text: '' }, { status: 599, text: '' }],
  ['the status 600', { status: 600 }, { text: '' }, { text: '' }],
])('a response with %s is expected like this, and byte for byte like that', (...row) => {
  const [, response, expected, exact] = row

  expect(expectedOf(response)).toEqual([expected, exact])
})

test('headers of the transport are not expected, and secret ones never', () => {
  const names = [
    'Location',
    'Retry-After',
    'WWW-Authenticate',
    'Allow',
    'ETag',
    'X-Date',
    'Date',
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'Content-Length',
    'Content-Encoding',
    'Server',
    'Server-Timing',
    'Set-Cookie',
    'Access-Control-Allow-Origin',
  ]
  const headers = names.map((name) => [name, `${exampleOrigin}/a`] as const)
  const url = { $text: '{base_url}/a' }

  expect(expectedOf({ headers })).toEqual([
    {
      status: 200,
      headers: {
        location: `${exampleOrigin}/a`,
        'retry-after': `${exampleOrigin}/a`,
        'www-authenticate': `${exampleOrigin}/a`,
      },
      text: '',
    },
    {
      status: 200,
      headers: {
        location: url,
        'retry-after': url,
        'www-authenticate': url,
        allow: url,
        etag: url,
        'x-date': url,
        'server-timing': url,
      },
      text: '',
    },
  ])
})

test('the body of a response to HEAD is not compared byte for byte', () => {
  expect(expectedOf({}, 'HEAD')).toEqual([{ status: 200, text: '' }, { status: 200 }])
})

test.each<readonly [string, Partial<Exchange>, string[], string[]]>([
  [
    'an unknown method',
    { method: 'TRACE', url: `${exampleOrigin}/a` },
    [`TRACE ${exampleOrigin}/a (scenarios do not support this method)`],
    [`TRACE ${exampleOrigin}/a (scenarios do not support this method)`],
  ],
  [
    'an address that fetch changes',
    { url: `${exampleOrigin}/a/../b` },
    [],
    [`POST ${exampleOrigin}/a/../b (no step can send a request to this address)`],
  ],
  [
    'an address of another host',
    { url: 'https://elsewhere.test/a' },
    ['POST https://elsewhere.test/a (no step can send a request to this address)'],
    ['POST https://elsewhere.test/a (no step can send a request to this address)'],
  ],
  [
    'a body that was not stored',
    { url: `${exampleOrigin}/a`, request: { headers: [], body: { omitted: 7 } } },
    ['the request body of 7 bytes, which was not recorded'],
    [`POST ${exampleOrigin}/a (its body was not recorded)`],
  ],
  [
    'a body of GET that was not stored',
    { method: 'GET', request: { headers: [], body: { omitted: 7 } } },
    ['the request body of 7 bytes, which was not recorded'],
    [],
  ],
  [
    'bytes of GET',
    { method: 'GET', request: { headers: [], body: { base64: 'AAAA' } } },
    ['the request body, as scenarios send none with GET'],
    [],
  ],
  [
    'a large response',
    { response: { status: 600, headers: [], body: { omitted: 9 } } },
    ['the response body of 9 bytes, which was not recorded', 'the status 600, which is not valid'],
    ['the response body of 9 bytes, which was not recorded', 'the status 600, which is not valid'],
  ],
])('of a request with %s a step leaves out this, and an exact one that', (...row) => {
  const [, exchange, omitted, exact] = row
  const complete = { ...createExchange({ method: 'POST' }), ...exchange }

  expect([record(complete, false).omitted, record(complete, true).omitted]).toEqual([
    omitted,
    exact,
  ])
})
