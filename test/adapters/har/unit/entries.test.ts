import type { Entry, Har } from 'har-format'
import { expect, onTestFinished, test, vi } from 'vitest'
import { classifyEntry } from '../../../../src/adapters/har/parse-entry.ts'
import { exchangesToHar } from '../../../../src/adapters/har/write-har.ts'
import type { Exchange } from '../../../../src/http/exchange.ts'
import { formatIssue } from '../../../../src/utils/errors.ts'
import { findHarIssues } from '../../../support/formats.ts'

const exchange: Exchange = {
  at: '2024-06-15T12:00:00.250Z',
  ms: 12.5,
  method: 'PATCH',
  url: 'http://127.0.0.1:4010/api/projects/1/annotations/7/?a=b%20c&a=d',
  request: {
    headers: [
      ['Authorization', 'Bearer phx_all'],
      ['content-type', 'application/json'],
      ['Cookie', 'theme=dark; seen=1=2'],
    ],
    body: { text: '{"content":"Launch 🦔"}' },
  },
  response: {
    status: 200,
    headers: [
      ['content-type', 'application/json'],
      ['x-request-id', 'one'],
      ['x-request-id', 'two'],
      ['Location', '/api/projects/'],
      ['set-cookie', 'session=abc; Path=/; HttpOnly'],
    ],
    body: { text: '{"id":7}' },
  },
}

const [entry] = exchangesToHar([exchange]).log.entries as [Entry]

const bodies = [
  { ...exchange, request: { ...exchange.request, body: { base64: '//4A' } } },
  { ...exchange, request: { ...exchange.request, body: { omitted: 70_000 } } },
  { ...exchange, response: { ...exchange.response, body: { base64: 'iVD//g==' } } },
  { ...exchange, response: { ...exchange.response, body: { omitted: 3 } } },
  { ...exchange, response: { status: 0, headers: [], body: null } },
  { ...exchange, method: 'GET', request: { headers: [], body: null } },
  { ...exchange, key: 'all' },
] satisfies Exchange[]

test('entries survive writing and parsing', () => {
  const { entries } = exchangesToHar([exchange, ...bodies]).log

  expect(entries.map((entry) => exchangeOf(entry))).toEqual([exchange, ...bodies])
})

test('the comment of a response says why it was lost, or nothing', () => {
  const readWith = (response: object) =>
    exchangeOf({ ...entry, response: { ...entry.response, ...response, comment: 'a proxy' } })

  expect(readWith({})).toEqual(exchange)
  expect(readWith({ status: 0, content: {} })).toMatchObject({
    response: { status: 0, headers: [], body: null },
    lost: { error: 'a proxy' },
  })
  expect(readWith({ status: 0, content: {}, _failureText: 'reset' }).lost?.error).toBe('reset')
})

test.each([
  ['cut JSON was lost, and what arrived is noted', '{"id":7', { status: 200, bytes: 7 }],
  ['complete JSON arrived', '{"id":7}', undefined],
  ['400 bytes arrived, if their exporter noted 200 letters', 'ö'.repeat(200), undefined],
])('a response that announced 400 bytes: %s', (_, text, arrived) => {
  const headers = [{ name: 'content-length', value: '400' }]
  const response = { ...entry.response, headers, content: { size: text.length, text } }

  const read = exchangeOf({ ...entry, response })

  expect(read.lost).toEqual(arrived && { arrived })
  expect(read.response.status).toBe(arrived ? 0 : 200)
})

test('a time without a zone is one of UTC, in any time zone of the machine', () => {
  vi.stubEnv('TZ', 'Pacific/Chatham')
  onTestFinished(() => void vi.unstubAllEnvs())

  const read = exchangeOf({ ...entry, startedDateTime: '2024-06-15T12:00:00.250' })

  expect(read.at).toBe(exchange.at)
})

test('archives match the published schema and the published types', () => {
  const har: Har = exchangesToHar([exchange, ...bodies])

  expect(findHarIssues(har)).toBeNull()
  expect(har.log.entries[0]).toMatchObject({
    startedDateTime: '2024-06-15T12:00:00.250Z',
    time: 12.5,
    request: {
      queryString: [
        { name: 'a', value: 'b c' },
        { name: 'a', value: 'd' },
      ],
      cookies: [],
      bodySize: 25,
    },
    response: {
      cookies: [],
      redirectURL: '/api/projects/',
      bodySize: 8,
      content: { size: 8 },
    },
    timings: { send: 0, wait: 12.5, receive: 0 },
  })
  expect(
    har.log.entries.map(({ request, response }) => [request.bodySize, response.bodySize]),
  ).toEqual([
    [25, 8],
    [3, 8],
    [70_000, 8],
    [25, 4],
    [25, 3],
    [25, 0],
    [0, 8],
    [25, 8],
  ])
})

test('pseudo headers are dropped, joined headers are split, and a missing content type is that of postData', () => {
  const browsers = {
    ...entry,
    request: {
      ...entry.request,
      method: 'patch',
      postData: { ...entry.request.postData, encoding: 'utf8' },
      headers: [
        { name: ':authority', value: 'app.example.com' },
        { name: ':method', value: 'PATCH' },
        { name: 'accept', value: '*/*' },
      ],
    },
    response: {
      ...entry.response,
      headers: [{ name: 'set-cookie', value: `a=1\r\nb=2${'\nc'.repeat(99)}` }],
    },
  }

  const { method, request, response } = exchangeOf(browsers)

  expect(method).toBe('PATCH')
  expect(request.headers).toEqual([
    ['accept', '*/*'],
    ['content-type', 'application/json'],
  ])
  // No header is repeated more often than a hundred times.
  expect(response.headers).toEqual(
    ['a=1', 'b=2', ...Array(98).fill('c')].map((value) => ['set-cookie', value]),
  )
})

test.each([
  ['', 201, [['content-type', 'application/json']]],
  ['text/plain', 400, [['content-type', 'application/json']]],
  ['', 415, []],
] as const)(
  'JSON of type %j without a header that was answered with %i has the headers %j',
  (mimeType, status, headers) => {
    const request = { ...entry.request, headers: [], postData: { mimeType, text: '{}' } }

    const read = exchangeOf({ ...entry, request, response: { ...entry.response, status } })

    expect(read.request).toEqual({ headers, body: { text: '{}' } })
  },
)

test('times can be in any zone, and texts can be in base64', () => {
  const encoded = { text: 'eyJpZCI6N30=', encoding: 'Base64' }
  const content = { size: 8, mimeType: 'application/json', ...encoded }

  const read = exchangeOf({
    ...entry,
    startedDateTime: '2024-06-15T14:00:00.250+02:00',
    response: { ...entry.response, content },
  })

  expect(read).toEqual(exchange)
})

test('the fields of a form are joined, and an omitted body has only a size', () => {
  const params = [{ name: 'content', value: 'a b' }, { name: 'deleted' }]
  const form = { mimeType: 'application/x-www-form-urlencoded', text: '', params }
  const { content: _, ...response } = { ...entry.response, bodySize: 90 }

  const request = { ...entry.request, headers: [], postData: form }

  const read = exchangeOf({ ...entry, request, response })

  expect(read.request).toEqual({
    headers: [['content-type', form.mimeType]],
    body: { text: 'content=a+b&deleted=' },
  })
  expect(read.response.body).toEqual({ omitted: 90 })
})

test('a response whose type the exporter does not know has an unknown body, unless it announces none', () => {
  const readWith = (content: object, ...headers: readonly object[]) =>
    exchangeOf({ ...entry, response: { status: 200, headers, content } }).response.body

  expect(readWith({ size: 0, mimeType: 'x-unknown' })).toEqual({ omitted: 0 })
  expect(readWith({ size: 0, mimeType: null, text: null })).toEqual({ omitted: 0 })
  expect(readWith({ size: 0, mimeType: 'x-unknown' }, { name: 'content-length', value: '0' })).toBe(
    null,
  )
  expect(readWith({ size: 0, mimeType: 'application/json', text: '' })).toBe(null)
})

test('every issue of an entry names its path', () => {
  const faulty = {
    ...entry,
    startedDateTime: 'noon',
    request: {
      ...entry.request,
      method: 'GET IT',
      url: '/api/projects/',
      headers: [{ value: 'a' }],
    },
    response: { ...entry.response, status: 'OK' },
  }
  const encoded = {
    ...entry,
    request: { ...entry.request, postData: { text: 'a', encoding: 'gzip' } },
    response: { ...entry.response, content: { text: '*', encoding: 'base64' } },
  }

  expect(parse(faulty, 3)).toEqual({
    issues: [
      'log.entries[3].startedDateTime: expected an ISO 8601 time, got "noon"',
      'log.entries[3].request.method: expected a method, got "GET IT"',
      'log.entries[3].request.url: expected an absolute URL, got "/api/projects/"',
      'log.entries[3].request.headers[0].name: expected string, got nothing',
      'log.entries[3].response.status: expected number, got "OK"',
    ],
  })
  expect(parse(encoded, 4)).toEqual({
    issues: [
      'log.entries[4].request.postData.encoding: expected base64 or nothing, got "gzip"',
      'log.entries[4].response.content.text: invalid base64',
    ],
  })
  expect(parse(null, 5)).toEqual({ skipped: 'unreadable' })
  expect(parse({ ...entry, _resourceType: 'preflight' })).toEqual({ skipped: 'preflight' })
})

function parse(entry: unknown, index = 0) {
  const read = classifyEntry(entry, ['log', 'entries', index], () => 'http://127.0.0.1:4010')
  return 'issues' in read ? { issues: read.issues.map(formatIssue) } : read
}

function exchangeOf(entry: unknown): Exchange {
  const read = parse(entry)
  if (!('exchange' in read)) throw new Error(JSON.stringify(read))
  return read.exchange
}
