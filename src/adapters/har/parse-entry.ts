import * as z from 'zod'
import { pathItems } from '../../api/endpoints.ts'
import {
  bytesToExchangedBody,
  decodeBase64,
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
} from '../../http/exchange.ts'
import { createPathMatcher, toBaseUrl } from '../../http/url.ts'
import { isObject } from '../../utils/json.ts'
import { describeIssues, prefixIssue } from '../../utils/schema-issues.ts'
import { inspectValue } from '../../utils/usage-error.ts'

const text = z.string()
const optional = text.optional()
const pairs = z.array(z.object({ name: text, value: text }))

const isoTime = text.refine((value) => !Number.isNaN(Date.parse(value)), {
  error: 'expected an ISO 8601 time',
})

/**
 * The fields of a HAR entry that are read. Everything else is ignored, and most fields are optional, because no
 * exporter follows the format in full.
 */
const entrySchema = z.object({
  startedDateTime: isoTime,
  time: z.number().nullish(),
  request: z.object({
    method: text.regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'expected a method' }),
    url: text.refine((value) => URL.canParse(value), { error: 'expected an absolute URL' }),
    headers: pairs,
    bodySize: z.number().nullish(),
    postData: z
      .object({
        mimeType: optional,
        text: optional,
        params: z.array(z.object({ name: text, value: optional })).optional(),
        encoding: optional,
        _encoding: optional,
      })
      .nullish(),
  }),
  response: z.object({
    status: z.int().min(-1).max(999),
    headers: pairs,
    bodySize: z.number().nullish(),
    content: z.object({ size: z.number().nullish(), text: optional, encoding: optional }).nullish(),
    _error: z.string().nullish(),
    _failureText: z.string().nullish(),
  }),
  _resourceType: z.string().nullish(),
  _fromCache: z.string().nullish(),
  _key: z.unknown().optional(),
})

type RawEntry = z.infer<typeof entrySchema>

/** Why entries are skipped, as a phrase after their number: `3 to other URLs`. */
export const skipReasonTexts = {
  elsewhere: 'to other URLs',
  socket: 'over WebSocket',
  preflight: 'CORS preflights',
  cached: 'from the browser cache',
  unanswered: 'canceled by the browser',
} as const

export type SkipReason = keyof typeof skipReasonTexts

/** Returns why an entry below the base URL is skipped, or null for an API request that was sent and answered. */
function skipReason({ request, response, ...entry }: RawEntry): SkipReason | null {
  const isPreflight =
    request.method === 'OPTIONS' &&
    request.headers.some(({ name }) => /^access-control-request-method$/i.test(name))
  if (isPreflight || entry._resourceType === 'preflight') return 'preflight'
  if (entry._fromCache) return 'cached'
  return response.status <= 0 && errorText(response) !== null && !isNetworkError(response)
    ? 'unanswered'
    : null
}

/**
 * Whether the connection broke. Browsers write status 0 for these and for requests that they canceled, and add an
 * error text to tell them apart. Without an error text, status 0 means a broken connection.
 */
function isNetworkError(response: RawEntry['response']): boolean {
  const error = errorText(response)
  return error === null ? response.status <= 0 : networkErrors.test(error)
}

function errorText({ _error, _failureText }: RawEntry['response']): string | null {
  return _error || _failureText || null
}

const networkErrors =
  /ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|HTTP2_PROTOCOL_ERROR|SOCKET_NOT_CONNECTED)|socket hang up/

export type ParsedEntry =
  | { readonly exchange: Exchange; readonly skipped: SkipReason | null }
  | { readonly issues: readonly string[] }

/** Parses a HAR entry. @param path the path of the entry in the archive, such as `log.entries[3]` */
export function parseEntry(value: unknown, path: string): ParsedEntry {
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success) {
    const issues = describeIssues(parsed.error, value, '')
    return { issues: issues.map((issue) => prefixIssue(path, issue)) }
  }
  const entry = parsed.data
  const issues: string[] = []
  const decode = (field: string, encoding: string | undefined, read: () => Body): Body => {
    if (!/^(|base64|utf-?8)$/i.test(encoding ?? '')) {
      const actual = inspectValue(encoding)
      issues.push(`${path}.${field}.encoding: expected base64 or nothing, got ${actual}`)
      return null
    }
    try {
      return read()
    } catch {
      issues.push(`${path}.${field}.text: invalid base64`)
      return null
    }
  }
  const { postData } = entry.request
  const { content } = entry.response
  const encoding = postData?.encoding ?? postData?._encoding
  const sent = decode('request.postData', encoding, () => requestBody(entry.request))
  const received = decode('response.content', content?.encoding, () => responseBody(entry.response))
  return issues.length > 0
    ? { issues }
    : { exchange: toExchange(entry, sent, received), skipped: skipReason(entry) }
}

type Body = ExchangedBody | null

function toExchange(entry: RawEntry, sent: Body, received: Body): Exchange {
  const { startedDateTime, time, request, response, _key } = entry
  return {
    at: new Date(startedDateTime).toISOString(),
    ms: Math.max(0, time ?? 0),
    method: request.method,
    url: request.url,
    ...(typeof _key === 'string' && _key !== '' && { key: _key }),
    request: { headers: toHeaders(request), body: sent },
    response: isNetworkError(response)
      ? { status: 0, headers: [], body: null }
      : { status: response.status, headers: toHeaders(response), body: received },
  }
}

/** Browsers add HTTP/2 pseudo headers (`:authority`), and join repeated headers with line breaks. */
function toHeaders({
  headers,
}: RawEntry['request'] | RawEntry['response']): ExchangedMessage['headers'] {
  return headers
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) => value.split(/\r?\n/).map((part) => [name, part] as const))
}

/** @throws an error for invalid base64 */
function requestBody({ postData, bodySize }: RawEntry['request']): Body {
  const { text = '', params = [], encoding, _encoding = encoding } = postData ?? {}
  if (text !== '') return toBody(text, _encoding)
  // Some exporters write the fields of a form instead of its text.
  if (params.length > 0 && /^application\/x-www-form-urlencoded/.test(postData?.mimeType ?? '')) {
    const fields = params.map(({ name, value = '' }) => [name, value])
    return { text: String(new URLSearchParams(fields)) }
  }
  return omittedBody(bodySize)
}

/** @throws an error for invalid base64 */
function responseBody({ content, bodySize }: RawEntry['response']): Body {
  const { text = '', encoding, size } = content ?? {}
  return text === '' ? omittedBody(size ?? bodySize) : toBody(text, encoding)
}

/** Browsers also write text in base64 if they do not recognize its type. */
function toBody(text: string, encoding: string | undefined): ExchangedBody {
  if (encoding?.toLowerCase() !== 'base64') return { text }
  return bytesToExchangedBody(decodeBase64(text))
}

/** Exporters can omit a body and write only its size. */
function omittedBody(size: number | null | undefined): Body {
  return size && size > 0 ? { omitted: size } : null
}

/** A HAR entry: an API request with the base URL of its API, a skipped entry, or the issues of an invalid one. */
export type ClassifiedEntry =
  | { readonly exchange: Exchange; readonly base: string }
  | { readonly skipped: SkipReason }
  | { readonly issues: readonly string[] }

/**
 * Separates API requests from everything else that a browser requests.
 *
 * @param path the path of the entry in the archive, such as `log.entries[3]`
 * @param findBase returns the base URL of the API for a URL of the API, and null for any other URL
 */
export function classifyEntry(
  entry: unknown,
  path: string,
  findBase: (url: string) => string | null,
): ClassifiedEntry {
  const url = entryUrl(entry)
  const base = url === null ? null : findBase(url)
  // Entries of other servers are not validated.
  if (url !== null && base === null) {
    return { skipped: /^wss?:/i.test(url) ? 'socket' : 'elsewhere' }
  }
  const parsed = parseEntry(entry, path)
  if ('issues' in parsed) return parsed
  const { exchange, skipped } = parsed
  return skipped === null ? { exchange, base: base as string } : { skipped }
}

function entryUrl(entry: unknown): string | null {
  const request = isObject(entry) ? entry.request : null
  const url = isObject(request) ? request.url : null
  return typeof url === 'string' && URL.canParse(url) ? url : null
}

const apiPaths = pathItems.map(({ pattern }) => createPathMatcher(pattern, toBaseUrl('*')))

/**
 * Returns the base URL of the API for a URL of the API, and null for any other URL.
 *
 * @example findApiBase('https://example.com/mock/api/projects/1/annotations/?limit=2') // 'https://example.com/mock'
 */
export function findApiBase(url: string): string | null {
  const [address = ''] = url.split(/[?#]/)
  const pathStart = /^https?:\/\/[^/]*/i.exec(address)?.[0].length ?? address.length
  let start = address.indexOf('/api/', pathStart)
  while (start >= 0) {
    const path = address.slice(start)
    if (apiPaths.some((matcher) => matcher.match(path) !== null)) return address.slice(0, start)
    start = address.indexOf('/api/', start + 1)
  }
  return null
}
