import { expect, test } from 'vitest'
import type { Exchange, RequestStep } from '../../../../src/index.ts'
import { keepEverything } from '../../../../src/scenarios/recording/anonymize.ts'
import { toStep } from '../../../../src/scenarios/recording/to-step.ts'
import { createExchange, exampleOrigin } from '../../../support/scenarios/exchanges.ts'

/** The head of a step: in a recording for people, and in an exact one. */
function headsOf(exchange: Exchange): Partial<RequestStep>[] {
  return [false, true].map((isExact) => {
    const { step } = toStep(
      keepEverything.exchange(exchange),
      { baseUrl: exampleOrigin, isExact },
      new Set(),
    )
    const { method, expect, ...head } = step as RequestStep
    return head
  })
}

const headersOf = (headers: Readonly<Record<string, string>>, method = 'DELETE') =>
  headsOf(createExchange({ method, headers })).map((head) => head.headers)

test('headers of the connection, the client and the caller are left out', () => {
  const names = [
    'Host',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'Content-Length',
    'Content-Encoding',
    'Accept-Encoding',
    'Accept-Language',
    'Accept-Charset',
    'User-Agent',
    'X-API-Key',
    'Cookie',
    'Origin',
    'Referer',
    'Sec-Fetch-Mode',
    'DNT',
    'Pragma',
    'Cache-Control',
    'Priority',
    'Date',
    'Via',
    'Forwarded',
    'X-Forwarded-For',
    'X-Real-IP',
    'X-Request-ID',
    'X-Correlation-ID',
    'traceparent',
    'tracestate',
    'baggage',
    'X-MSW-Request-Id',
    'Understudy-Sandbox',
  ]

  expect(headersOf(Object.fromEntries(names.map((name) => [name, 'a'])))).toEqual([
    undefined,
    undefined,
  ])
})

test('headers that only resemble those stay, but not in an exact recording', () => {
  const headers = {
    'x-host': 'a',
    hosts: 'b',
    'x-api-keys': 'c',
    'x-cookie': 'd',
    'x-te': 'e',
    'if-match': 'f',
  }

  expect(headersOf(headers)).toEqual([headers, undefined])
})

test.each([
  ['*/*', false, false],
  ['text/html, */*', false, true],
  ['application/json', false, true],
  ['application/problem+JSON', false, true],
  ['text/html', true, true],
])('a request that accepts %s keeps that: %s, and in an exact recording: %s', (accept, ...kept) => {
  expect(headersOf({ Accept: accept })).toEqual(
    kept.map((isKept) => (isKept ? { accept } : undefined)),
  )
})

test.each([
  ['a\tb ~ \x80\xff', true],
  ['', true],
  ['a\x7fb', false],
  ['a\x1fb', false],
  ['a\x19b', false],
  ['日', false],
])('a header with the value %j can be written: %s', (value, isWritable) => {
  expect(headersOf({ 'x-note': value })[0]).toEqual(isWritable ? { 'x-note': value } : undefined)
})

test('braces of a header are doubled', () => {
  expect(headersOf({ 'X-Note': 'of {a}', 'content-type': 'text/{b}' })).toEqual([
    { 'x-note': 'of {{a}}', 'content-type': 'text/{{b}}' },
    { 'content-type': 'text/{{b}}' },
  ])
})

test.each([
  ['GET', undefined],
  ['HEAD', undefined],
  ['POST', { 'content-type': 'text/csv' }],
])('the content type of a %s without a body is %j', (method, expected) => {
  const headers = { 'content-type': 'text/csv' }

  expect(headersOf(headers, method)).toEqual([expected, headers])
})

test.each([
  ['application/json', undefined],
  ['application/json; charset=utf-8', { 'content-type': 'application/json; charset=utf-8' }],
  ['APPLICATION/JSON', { 'content-type': 'APPLICATION/JSON' }],
])('a JSON body implies the content type %s, and an exact step names it as %j', (type, headers) => {
  const exchange = createExchange({ method: 'POST' })
  const request = { headers: [['content-type', type] as const], body: { text: '{"a":1}' } }
  const path = '/api/projects/1/annotations/'

  expect(headsOf({ ...exchange, request })).toEqual([
    { title: 'Create annotation', path, body: { a: 1 } },
    { path, ...(headers && { headers }), body: { a: 1 } },
  ])
})

test('a labelled key is named, and any other key is sent as it was', () => {
  const url = '/api/projects/?personal_api_key=phx_mine&limit=1'
  const exchange = createExchange({ url, bearer: 'of {a}' })
  const inQuery = createExchange({ url })
  const path = '/api/projects/?personal_api_key=phx_mine&limit=1'
  const headers = { authorization: 'Bearer of {{a}}' }
  const query = { personal_api_key: 'phx_mine', limit: 1 }

  const heads = [exchange, { ...exchange, key: 'mine' }, { ...inQuery, key: 'mine' }, inQuery].map(
    (each) => headsOf(each).map(({ title: _, ...head }) => head),
  )

  expect(heads).toEqual([
    [
      { path: '/api/projects/', query, headers },
      { path, headers },
    ],
    [
      { as: 'mine', path: '/api/projects/', query },
      { as: 'mine', path },
    ],
    [
      { as: 'mine', path: '/api/projects/', query: { limit: 1 } },
      { as: 'mine', path },
    ],
    [{ path: '/api/projects/', query }, { path }],
  ])
})
