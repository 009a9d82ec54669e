import { annotationsPath } from '../support/api/paths.ts'
import { formatRequest } from '../support/lanes/raw-connection.ts'

export const post = (body: string, length = Buffer.byteLength(body)) =>
  formatRequest('POST', annotationsPath, { body, headers: { 'content-length': String(length) } })
const bytes = (...values: number[]) => Uint8Array.from(values)
const head = (...lines: string[]) =>
  [`GET ${annotationsPath} HTTP/1.1`, 'host: api.test', ...lines, '', ''].join('\r\n')

export interface Attack {
  readonly what: string
  readonly sent: readonly (string | Uint8Array)[]
  /** Whether the client ends its side of the connection */
  readonly ends?: boolean
  readonly status: number
  readonly code?: string
  readonly detail?: string
  /** Whether the connection can be used again */
  readonly closes?: boolean
}

/** What a request gets that Node cannot read. */
const malformed = {
  status: 400,
  code: 'parse_error',
  detail: 'Malformed HTTP request.',
  closes: true,
}
const cutOff = { ...malformed, ends: true, detail: 'The request was cut off.' }
const headersTooLarge = {
  status: 431,
  code: 'headers_too_large',
  detail: 'Request headers are too large: the limit is 16384 bytes.',
  closes: true,
}
/** A GET that is complete after a header of this many bytes. */
const headerOf = (size: number) => head(`x-long: ${'a'.repeat(size)}`)

/** Malformed and hostile requests. */
export const attacks: readonly Attack[] = [
  { what: 'a truncated body', sent: [post('{"content":"a"', 500)], ...cutOff },
  {
    what: 'a truncated chunk',
    sent: [
      formatRequest('POST', annotationsPath, { headers: { 'transfer-encoding': 'chunked' } }),
      '9\r\n{}',
    ],
    ...cutOff,
  },
  { what: 'a truncated request line', sent: ['GET /api/pro'], ...cutOff },
  { what: 'truncated headers', sent: ['GET / HTTP/1.1\r\nhost: api.test\r\n'], ...cutOff },
  { what: 'CONNECT', sent: [formatRequest('CONNECT', 'api.test:443')], status: 405, closes: true },
  {
    what: 'HTTP/1.1 without a Host header',
    sent: ['GET /api/projects/ HTTP/1.1\r\n\r\n'],
    ...malformed,
    closes: false,
    detail: 'HTTP/1.1 requires the header Host.',
  },
  {
    what: 'HTTP/1.0 without a Host header',
    sent: ['GET /api/projects/ HTTP/1.0\r\n\r\n'],
    status: 401,
    closes: true,
  },
  {
    what: 'an unknown expectation',
    sent: [formatRequest('GET', annotationsPath, { headers: { expect: 'miracles' } })],
    status: 200,
  },
  {
    what: 'an upgrade',
    sent: [
      formatRequest('GET', annotationsPath, {
        headers: { connection: 'upgrade', upgrade: 'websocket' },
      }),
    ],
    status: 200,
  },
  { what: 'a header of 16 kB', sent: [headerOf(16_000)], status: 401 },
  { what: 'a header of 17 kB', sent: [headerOf(17_000)], ...headersTooLarge },
  {
    what: 'chunk extensions of 17 kB',
    sent: [
      formatRequest('POST', annotationsPath, { headers: { 'transfer-encoding': 'chunked' } }),
      `1;a=${'b'.repeat(17_000)}\r\n`,
    ],
    status: 413,
    code: 'request_too_large',
    detail: 'Chunk extensions are too large.',
    closes: true,
  },

  {
    what: 'invalid UTF-8',
    sent: [post('{"content":"', 16), bytes(0xff, 0xfe, 0x22, 0x7d)],
    status: 400,
    detail:
      "JSON parse error - 'utf-8' codec can't decode byte 0xff in position 12: invalid start byte",
  },
  {
    what: 'a byte order mark before a character that is cut off',
    sent: [post('\uFEFF{}', 6), bytes(0xc3)],
    status: 400,
    detail:
      'JSON parse error - Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)',
  },
  {
    what: '100,000 nested brackets that never close',
    sent: [post('['.repeat(100_000))],
    status: 400,
    detail: 'JSON parse error - maximum recursion depth exceeded',
  },
  {
    what: '100,000 nested brackets as a value',
    sent: [post(`{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    status: 400,
    detail: 'JSON parse error - maximum recursion depth exceeded',
  },
  {
    what: '100,000 nested objects',
    sent: [post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)} x`)],
    status: 400,
  },
  {
    what: 'NUL in the path',
    sent: [formatRequest('GET', `${annotationsPath}1\0/`)],
    ...malformed,
  },
  { what: 'an escaped NUL', sent: [formatRequest('GET', `${annotationsPath}1%00/`)], status: 404 },
  {
    what: 'malformed percent escapes in the path',
    sent: [formatRequest('GET', '/api/projects/%zz%/annotations/')],
    status: 404,
    detail: 'Project not found.',
  },
  {
    what: 'malformed percent escapes in the query',
    sent: [formatRequest('GET', `${annotationsPath}?search=%zz%&limit=%e0%a4%a`)],
    status: 200,
  },
  {
    what: 'a request line of 100 kB',
    sent: [formatRequest('GET', `${annotationsPath}?search=${'a'.repeat(100_000)}`)],
    ...headersTooLarge,
  },
  { what: 'a header of 100 kB', sent: [headerOf(100_000)], ...headersTooLarge },
  { what: 'a header without a value', sent: [head('x-empty:', 'authorization:')], status: 401 },
  { what: 'a header without a colon', sent: [head('nonsense')], ...malformed },
  {
    what: 'two different lengths',
    sent: [head('content-length: 2', 'content-length: 3'), '{}'],
    ...malformed,
  },
  { what: 'a length that is not a number', sent: [head('content-length: many')], ...malformed },
  {
    what: 'invalid chunks',
    sent: [
      formatRequest('POST', annotationsPath, { headers: { 'transfer-encoding': 'chunked' } }),
      'zz\r\n{}\r\n',
    ],
    ...malformed,
  },
  { what: 'no HTTP at all', sent: [bytes(0x16, 0x03, 0x01, 0x00, 0xa5), '\r\n'], ...malformed },
  { what: 'an unknown method', sent: [formatRequest('STEAL', annotationsPath)], ...malformed },
  {
    what: 'two hosts in one header',
    sent: [formatRequest('GET', annotationsPath, { headers: { host: 'a b' } })],
    status: 200,
  },
  {
    what: 'a path as host',
    sent: [formatRequest('GET', annotationsPath, { headers: { host: 'a/b?c' } })],
    status: 200,
  },
  {
    what: 'a host that is invalid in a URL',
    sent: [formatRequest('GET', annotationsPath, { headers: { host: 'a:99999' } })],
    status: 200,
  },
  {
    what: 'no host',
    sent: [formatRequest('GET', annotationsPath, { headers: { host: '' } })],
    status: 200,
  },
  {
    what: 'a URL without host and path',
    sent: [formatRequest('GET', 'http://')],
    ...malformed,
    closes: false,
  },
  {
    what: 'a URL with an unknown scheme',
    sent: [formatRequest('GET', 'foo://a')],
    ...malformed,
    closes: false,
  },
  {
    what: 'a URL with an invalid port',
    sent: [formatRequest('GET', `http://a:99999${annotationsPath}`)],
    ...malformed,
    closes: false,
  },
  {
    what: 'a URL with a user',
    sent: [formatRequest('GET', `http://a:b@c${annotationsPath}`)],
    ...malformed,
    closes: false,
  },
  { what: 'a URL', sent: [formatRequest('GET', `http://c:80${annotationsPath}`)], status: 200 },
  { what: 'an asterisk as path', sent: [formatRequest('OPTIONS', '*')], status: 404 },
]
