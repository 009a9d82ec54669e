import { annotationsPath } from '../support/api/paths.ts'
import { formatRequest } from '../support/transports/raw-connection.ts'

export const post = (body: string, length = Buffer.byteLength(body)) =>
  formatRequest('POST', annotationsPath, { body, headers: { 'content-length': String(length) } })
const bytes = (...values: number[]) => Uint8Array.from(values)

interface Attack {
  readonly sent: readonly (string | Uint8Array)[]
  readonly status: number
  readonly detail?: string
  /** Whether the connection can be used again */
  readonly closes?: boolean
}

/** Hostile requests that Node can read. */
export const attacks: Readonly<Record<string, Attack>> = {
  'HTTP/1.0 without a Host header': {
    sent: ['GET /api/projects/ HTTP/1.0\r\n\r\n'],
    status: 401,
    closes: true,
  },
  'invalid UTF-8': {
    sent: [post('{"content":"', 16), bytes(0xff, 0xfe, 0x22, 0x7d)],
    status: 400,
    detail:
      "JSON parse error - 'utf-8' codec can't decode byte 0xff in position 12: invalid start byte",
  },
  'a byte order mark before a character that is cut off': {
    sent: [post('\uFEFF{}', 6), bytes(0xc3)],
    status: 400,
    detail:
      'JSON parse error - Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)',
  },
  '100,000 nested brackets that never close': {
    sent: [post('['.repeat(100_000))],
    status: 400,
    detail: 'JSON parse error - maximum recursion depth exceeded',
  },
  'an escaped NUL': { sent: [formatRequest('GET', `${annotationsPath}1%00/`)], status: 404 },
  'malformed percent escapes in the path': {
    sent: [formatRequest('GET', '/api/projects/%zz%/annotations/')],
    status: 404,
    detail: 'Project not found.',
  },
  'malformed percent escapes in the query': {
    sent: [formatRequest('GET', `${annotationsPath}?search=%zz%&limit=%e0%a4%a`)],
    status: 200,
  },
  'a URL with an invalid port': {
    sent: [formatRequest('GET', `http://a:99999${annotationsPath}`)],
    status: 200,
  },
  'an asterisk as path': { sent: [formatRequest('OPTIONS', '*')], status: 404 },
}
