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
  /** The status of the response; `closed` if the server can also close the connection */
  readonly status: number | 'closed'
  readonly detail?: string
}

/** Malformed and hostile requests. */
export const attacks: readonly Attack[] = [
  { what: 'a truncated body', sent: [post('{"content":"a"', 200)], ends: true, status: 'closed' },
  {
    what: 'invalid UTF-8',
    sent: [post('{"content":"', 16), bytes(0xff, 0xfe, 0x22, 0x7d)],
    status: 400,
    detail:
      "JSON parse error - 'utf-8' codec can't decode byte 0xff in position 12: invalid start byte",
  },
  {
    what: '100,000 nested brackets that never close',
    sent: [post('['.repeat(100_000))],
    status: 400,
    detail: 'JSON parse error - Expecting value: line 1 column 100001 (char 100000)',
  },
  {
    what: '100,000 nested brackets as a value',
    sent: [post(`{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    status: 400,
    detail:
      'JSON parse error - maximum recursion depth exceeded while decoding a JSON array from a unicode string',
  },
  {
    what: '100,000 nested objects',
    sent: [post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)} x`)],
    status: 400,
  },
  {
    what: 'NUL in the path',
    sent: [formatRequest('GET', `${annotationsPath}1\0/`)],
    status: 'closed',
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
    status: 'closed',
  },
  { what: 'a header of 100 kB', sent: [head(`x-long: ${'a'.repeat(100_000)}`)], status: 'closed' },
  { what: 'a header without a value', sent: [head('x-empty:', 'authorization:')], status: 401 },
  { what: 'a header without a colon', sent: [head('nonsense')], status: 'closed' },
  {
    what: 'two different lengths',
    sent: [head('content-length: 2', 'content-length: 3'), '{}'],
    status: 'closed',
  },
  { what: 'a length that is not a number', sent: [head('content-length: many')], status: 'closed' },
  {
    what: 'invalid chunks',
    sent: [
      formatRequest('POST', annotationsPath, { headers: { 'transfer-encoding': 'chunked' } }),
      'zz\r\n{}\r\n',
    ],
    status: 'closed',
  },
  { what: 'no HTTP at all', sent: [bytes(0x16, 0x03, 0x01, 0x00, 0xa5), '\r\n'], status: 'closed' },
  { what: 'an unknown method', sent: [formatRequest('STEAL', annotationsPath)], status: 'closed' },
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
  { what: 'an asterisk as path', sent: [formatRequest('OPTIONS', '*')], status: 404 },
]
