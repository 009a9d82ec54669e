import { expect, test } from 'vitest'
import { type Exchange, type RequestStep, recordingOf } from '../../../src/index.ts'
import { createExchange, exampleOrigin } from '../../support/traffic.ts'

type Message = Exchange['request']

const none: Message = { headers: [], body: null }
const typed = (type: string, text: string): Message => ({
  headers: [['Content-Type', type]],
  body: { text },
})
const json = (text: string) => typed('application/json', text)
const ofJson = { headers: { 'content-type': 'application/json' } }
const plain = { headers: { 'content-type': 'text/plain' } }
const utf8 = { headers: { 'content-type': 'text/plain; charset=utf8' } }

/** The step of a request and its response. */
function stepOf(exchange: Partial<Exchange>): RequestStep {
  const { scenario } = recordingOf([
    { ...createExchange({ method: 'POST' }), request: none, ...exchange },
  ])
  return scenario.steps[0] as RequestStep
}

/** What a step sends, besides method and path. */
function sentBy(exchange: Partial<Exchange>) {
  const { title: _, method: __, path: ___, expect: ____, ...sent } = stepOf(exchange)
  return sent
}

test.each<readonly [string, Message, object]>([
  ['no body', none, {}],
  ['an empty text', typed('text/plain', ''), plain],
  ['JSON', json('{"a":1}'), { body: { a: 1 } }],
  [
    'JSON with spaces and quotes',
    typed('application/json; charset=utf-8', '{ "a \\" b": ["c \\\\", " d"] }'),
    { body: { 'a " b': ['c \\', ' d'] } },
  ],
  ['a JSON null', json('null'), { body: null }],
  ['JSON that repeats a name', json('{"a":1,"a":2}'), { ...ofJson, text: '{"a":1,"a":2}' }],
  ['half of JSON', json('{a'), { ...ofJson, text: '{a' }],
  ['JSON of another type', typed('text/plain', '{"a":1}'), { ...plain, text: '{"a":1}' }],
  ['a text in UTF-8', typed('text/plain; charset=utf8', 'é'), { ...utf8, text: 'é' }],
  ['a text without a type', { headers: [], body: { text: 'é' } }, { text: 'é' }],
])('a step sends %s as it means', (_, request, sent) => {
  expect(sentBy({ request })).toEqual(sent)
})

const headersOf = (headers: Readonly<Record<string, string>>) =>
  sentBy({ request: { headers: Object.entries(headers), body: null } }).headers

test('headers of the connection, the client and the caller are left out', () => {
  const names =
    'Host Connection Keep-Alive Proxy-Authorization TE Trailer Transfer-Encoding Upgrade Expect Content-Length Content-Encoding Accept-Encoding Accept-Language User-Agent X-API-Key Cookie Origin Referer Sec-Fetch-Mode DNT Pragma Cache-Control Priority Date Via Forwarded X-Forwarded-For X-Real-IP X-Request-ID X-Correlation-ID traceparent baggage X-MSW-Request-Id Understudy-Sandbox'
  const similar = { 'x-host': 'a', hosts: 'b', 'x-te': 'e', 'if-match': 'f' }

  expect(headersOf(Object.fromEntries(names.split(' ').map((name) => [name, 'a'])))).toBe(undefined)
  expect(headersOf(similar)).toEqual(similar)
})

test.each([
  [{ Accept: '*/*' }, undefined],
  [{ Accept: 'text/html, */*' }, undefined],
  [{ Accept: 'application/problem+JSON' }, undefined],
  [{ Accept: 'text/html' }, { accept: 'text/html' }],
  [{ Accept: 'text/*' }, { accept: 'text/*' }],
  [{ 'X-Note': 'of {a} \x80\xff' }, { 'x-note': 'of {{a}} \x80\xff' }],
  [{ 'x-note': 'a\x7fb' }, undefined],
  [{ 'x-note': 'a\x1fb' }, undefined],
  [{ 'x-note': '日' }, undefined],
  [{ 'x note': 'a' }, undefined],
])('of the headers %j a step sends %j', (headers, sent) => {
  expect(headersOf(headers)).toEqual(sent)
})

/** What a step expects of a response. */
const expectedOf = (response: Partial<Exchange['response']>, method = 'POST') =>
  stepOf({ method, response: { status: 200, ...none, ...response } }).expect

test.each<readonly [string, Partial<Exchange['response']>, unknown]>([
  ['no body', {}, { status: 200, text: '' }],
  ['JSON', json('{ "a": 1 }'), { status: 200, exact_body: { a: 1 } }],
  ['JSON of another type', typed('text/plain', '[1]'), { status: 200, ...plain, exact_body: [1] }],
  ['JSON of a problem', typed('application/problem+json', '1'), { status: 200, exact_body: 1 }],
  [
    'JSON with names that begin with $ or are escaped',
    { body: { text: '{"a":{"$b":"2024-06-15T12:00:01Z"},"\\u0024c":"$d"}' } },
    { status: 200, exact_body: { $literal: { a: { $b: '2024-06-15T12:00:01Z' }, $c: '$d' } } },
  ],
  ['bytes that are no text', { body: { text: '"\ufffd"' } }, { status: 200, text: '"\ufffd"' }],
  [
    'a text',
    typed('text/html', '<p>{a}'),
    { status: 200, headers: { 'content-type': 'text/html' }, text: '<p>{a}' },
  ],
  [
    'a text of another person',
    { body: { text: 'of ada@corp.test' } },
    { status: 200, text: 'of replaced-email-1@example.com' },
  ],
  ['bytes', { body: { base64: 'AAAA' } }, { status: 200 }],
  ['a body that was not stored', { body: { omitted: 5 } }, { status: 200 }],
  ['a broken connection', { status: 0, body: { text: 'a' } }, { broken: true }],
  ['the status 599', { status: 599 }, { status: 599, text: '' }],
  ['the status 600', { status: 600 }, { text: '' }],
])('a step expects a response with %s as it means', (_, response, expected) => {
  expect(expectedOf(response)).toEqual(expected)
})

test('of the headers of a response a step expects those that identify it', () => {
  const names = ['Location', 'Retry-After', 'WWW-Authenticate', 'Allow', 'ETag', 'Date']
  const headers = names.map((name) => [name, name] as const)
  const usual = {
    location: 'Location',
    'retry-after': 'Retry-After',
    'www-authenticate': 'WWW-Authenticate',
  }

  const shown = [
    expectedOf({ headers }),
    expectedOf({ headers }, 'OPTIONS'),
    expectedOf({ headers, status: 405 }),
  ].map((expected) => expected?.headers)

  expect(shown).toEqual([usual, { ...usual, allow: 'Allow' }, { ...usual, allow: 'Allow' }])
})

test.each([
  [
    `${exampleOrigin}/a?b=ada%40corp.test`,
    { $saved: '{base_url}/a?b=replaced-email-1%40example.com' },
  ],
  ['ada@corp.test', 'replaced-email-1@example.com'],
])('a link with personal data has an alias in its place: %s', (link, location) => {
  expect(expectedOf({ headers: [['Location', link]] })?.headers).toEqual({ location })
})

test('warnings report what a step leaves out', () => {
  const large = { headers: [], body: { omitted: 7 } }
  const bytes = { headers: [], body: { base64: 'AAAA' } }
  const base = createExchange({})

  const { warnings } = recordingOf(
    [
      { ...base, method: 'TRACE' },
      { ...base, url: 'https://elsewhere.test/a' },
      { ...base, request: large },
      { ...base, method: 'HEAD', request: bytes },
      { ...base, response: { status: 600, ...large } },
      { ...base, response: { status: 599, ...none } },
    ],
    { baseUrl: exampleOrigin },
  )

  expect(warnings).toEqual([
    `The recording leaves out TRACE ${base.url} (scenarios do not support this method).`,
    'The recording leaves out GET https://elsewhere.test/a (no step can send a request to this address).',
    'steps[0] leaves out the request body, as scenarios send none with GET.',
    'steps[1] leaves out the request body, as scenarios send none with HEAD.',
    'steps[2] leaves out the response body of 7 bytes, which was not recorded.',
    'steps[2] leaves out the status 600, which is not valid.',
  ])
})

test.each([400, 2_500, 100_000])('bodies of %i nested lists are recorded', (depth) => {
  const text = '['.repeat(depth) + ']'.repeat(depth)
  const message = json(text)

  const {
    body,
    text: sent,
    expect: expected,
  } = stepOf({ request: message, response: { status: 200, ...message } })

  const isJson = depth < 500
  expect([sent === text, expected?.text === text]).toEqual([!isJson, !isJson])
  expect(JSON.stringify([body, expected?.exact_body])).toBe(
    isJson ? `[${text},${text}]` : '[null,null]',
  )
})

const baseUrl = `${exampleOrigin}/v1`

test.each([
  ['/a/#top', '/a/'],
  ['', '/'],
  ['/{a}/{b}/', '/{{a}}/{{b}}/'],
  ['/a?', '/a?'],
  ['/a?limit=10&offset=0', '/a?limit=10&offset=0'],
  ['/a?a=%7Bx%7D&{x}=1?2', '/a?a=%7Bx%7D&{{x}}=1?2'],
])('the address %s below the base URL becomes %s', (address, path) => {
  const { scenario } = recordingOf([{ ...createExchange({}), url: baseUrl + address }], { baseUrl })

  expect((scenario.steps[0] as RequestStep).path).toBe(path)
})

test('an address that only begins like the base URL is left out', () => {
  expect(() => recordingOf([{ ...createExchange({}), url: `${baseUrl}0/a` }], { baseUrl })).toThrow(
    'Failed to record: there is no request to record.',
  )
})

test.each([
  ['https://a.test/api', '/api'],
  ['https://a.test/apis/api/projects/?next=/api/', '/api/projects/?next=/api/'],
  ['https://a.test/apis/?b=/api/#/api/', '/apis/?b=/api/'],
  ['http://api/x/api/', '/api/'],
  ['/v1/api/projects/', '/api/projects/'],
  ['/v1/projects/', '/v1/projects/'],
])('without a base URL the path of %s is %s', (url, path) => {
  expect(stepOf({ url }).path).toBe(path)
})
