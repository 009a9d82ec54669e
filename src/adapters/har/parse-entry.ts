import { findPath } from '../../api/endpoints.ts'
import {
  bytesToExchangedBody,
  decodeBase64,
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
  exchangedLength,
  findHeader,
  type HeaderPair,
} from '../../http/exchange.ts'
import { isSuccess } from '../../http/messages.ts'
import { type Issue, inspectValue, issuesWithin, type Path } from '../../utils/errors.ts'
import { isObject, readJsonBody } from '../../utils/json.ts'
import { percentEncode, writeQuery } from '../../utils/query.ts'
import { schemaIssues } from '../../utils/schema-issues.ts'
import { formatCount } from '../../utils/text.ts'
import { entrySchema, type RawEntry } from './entry-schema.ts'

/** Why entries are skipped, as a text with their number. */
const skipReasonTexts = {
  elsewhere: (count) => `${count} to other URLs`,
  preflight: (count) => formatCount(count, 'CORS preflight'),
  cached: (count) => `${count} from the browser cache`,
  cancelled: (count) => `${count} canceled by the page`,
  twice: (count) => `${count} that ${count === 1 ? 'stands' : 'stand'} twice`,
  worker: (count) => `${count} of a service worker that the page sent, too`,
  unreadable: (count) => `${count} without a request`,
  other_key: (count) => `${count} with another key`,
} as const satisfies Readonly<Record<string, (count: number) => string>>

export type SkipReason = keyof typeof skipReasonTexts

/** How many entries were left out, by the reason. */
export type LeftOut = ReadonlyMap<SkipReason, number>

/** Describes the entries that were left out. @example '3 to other URLs, 4 CORS preflights' */
export function formatLeftOut(leftOut: LeftOut): string {
  return [...leftOut].map(([reason, count]) => skipReasonTexts[reason](count)).join(', ')
}

/** A HAR entry: an API request with the base URL of its API, whose time can be empty, a skipped entry, or issues. */
type ClassifiedEntry =
  | { readonly exchange: Exchange; readonly base: string }
  | { readonly skipped: SkipReason }
  | { readonly issues: readonly Issue[] }

/**
 * Separates API requests from everything else that a browser requests.
 *
 * @param path the path of the entry in the archive
 * @param findBase returns the base URL of the API for a URL of the API, and null for any other URL
 */
export function classifyEntry(
  value: unknown,
  path: Path,
  findBase: (url: string) => string | null,
  readers: BodyReaders = {},
): ClassifiedEntry {
  const request = isObject(value) ? value.request : null
  const url = isObject(request) ? withoutCredentials(request.url) : undefined
  if (typeof url !== 'string') return { skipped: 'unreadable' }
  const isAbsolute = URL.canParse(url)
  // An exporter that leaves out the host of an API request has left out what is needed.
  const base = isAbsolute ? findBase(url) : findApiBase(`http://unknown/${url}`)
  // Entries of other servers are not validated.
  if (base === null) return { skipped: 'elsewhere' }
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success) {
    return { issues: issuesWithin(path, schemaIssues(entrySchema, value)) }
  }
  const entry = parsed.data
  const [sent, received] = [requestBody(entry.request, readers), responseBody(entry, readers)]
  const issues = [sent, received].flatMap((body) => (body && 'issue' in body ? body.issue : []))
  if (issues.length > 0) return { issues: issuesWithin(path, issues) }
  const to = findHeader(toHeaders(entry.response), 'location')
  // Another server can only say where the API is.
  const led = entry.response.status > 300 && to !== undefined ? findBase(to) : null
  const skipped = led !== null && led !== base ? 'elsewhere' : skipReason(entry)
  const exchange = toExchange(entry, sent as ExchangedBody, received as ExchangedBody)
  return skipped ? { skipped } : { exchange, base }
}

/** Removes a name and a password. No client sends them as a part of the URL. */
function withoutCredentials(url: unknown) {
  return typeof url === 'string' ? url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1') : url
}

/** Returns why an entry below the base URL is skipped, or null for an API request that was sent. */
function skipReason({ request, response, ...entry }: RawEntry): SkipReason | null {
  const isPreflight =
    request.method === 'OPTIONS' &&
    request.headers.some(({ name }) => /^access-control-request-method$/i.test(name))
  if (isPreflight || entry._resourceType === 'preflight') return 'preflight'
  if (entry._fromCache) return 'cached'
  // What a page cancels soon, it does not need. What it waited for can be the incident, and a write can have an effect.
  const isRead = /^(?:GET|HEAD|OPTIONS)$/.test(request.method)
  const isCancelled = isLost(response) && /ABORTED|cancell?ed/i.test(errorText(response))
  return isCancelled && isRead && (entry.time ?? 0) < longWait ? 'cancelled' : null
}

/** In milliseconds. A page that cancels a request after this time gave up on the response. */
const longWait = 2_000

/** Whether the client did not get the response, or not the whole of it. */
function isLost(response: RawEntry['response']) {
  if (response.status <= 0 || isCutShort(response)) return true
  // Chromium notes an empty body that the page did not read as cancelled.
  return errorText(response) !== '' && announcedLength(response) !== 0
}

/** What the client noted about a lost response: browsers and Playwright in fields of their own, others in the comment. */
function errorText({ status, comment, _error, _failureText }: RawEntry['response']) {
  return _error || _failureText || (status <= 0 && comment) || ''
}

/** Whether fewer bytes arrived than the response announced. Compressed bodies are stored with another length. */
function isCutShort(response: RawEntry['response']) {
  const { size, text, encoding } = response.content ?? {}
  if (!size || size < 0 || findHeader(toHeaders(response), 'content-encoding')) return false
  // An exporter with a limit can note the length that it kept, and another one that in letters.
  const kept = exchangedLength(encoding ? null : { text: text ?? '' })
  const isShort = announcedLength(response) > Math.max(size, response.bodySize ?? 0, kept)
  // A sanitizer keeps the header of the body that it shortened.
  return isShort && readJsonBody(text ?? '') === undefined
}

/** The number of bytes that the headers announce. -1 if they do not. */
function announcedLength(message: RawEntry['request'] | RawEntry['response']) {
  if ('status' in message && [204, 304].includes(message.status)) return 0
  return Number(findHeader(toHeaders(message), 'content-length') || -1)
}

function toExchange(
  { startedDateTime, time, request, response, pageref, _key }: RawEntry,
  sent: ExchangedBody | null,
  received: ExchangedBody | null,
): Exchange {
  const { status } = response
  const error = errorText(response)
  const isComplete = !isLost(response)
  const lost = {
    ...(error !== '' && { error }),
    ...(status > 0 && { arrived: { status, bytes: exchangedLength(received) } }),
  }
  return {
    at: startedDateTime ?? '',
    ms: Math.max(0, time ?? 0),
    // A service that accepts `patch` takes it for PATCH.
    method: isSuccess(status) ? request.method.toUpperCase() : request.method,
    url: withoutCredentials(wholeUrl(request)) as string,
    ...(typeof _key === 'string' && _key !== '' && { key: _key }),
    ...(typeof pageref === 'string' && { page: pageref }),
    request: { headers: withContentType(request, status), body: sent },
    response: isComplete
      ? { status, headers: toHeaders(response), body: received }
      : { status: 0, headers: [], body: null },
    ...(!isComplete && Object.keys(lost).length > 0 && { lost }),
  }
}

/** The URL, encoded, with its query: API tools write the parameters of their forms in a list beside it only. */
function wholeUrl({ url, queryString }: RawEntry['request']) {
  const encoded = url.replace(/[^\x21-\x7e]+/g, percentEncode)
  const pairs = Array.isArray(queryString) ? queryString.filter((pair) => pair?.name) : []
  if (/\?[^#]/.test(encoded) || pairs.length === 0) return encoded
  const [address, ...fragment] = encoded.replace('?', '').split('#')
  const query = writeQuery(pairs.map(({ name, value }) => [String(name), String(value ?? '')]))
  return [`${address}?${query}`, ...fragment].join('#')
}

/**
 * Some exporters note the content type of a request only beside its body, or not at all: JSON that a service did not refuse
 * for its type was sent as JSON.
 */
function withContentType(request: RawEntry['request'], status: number): readonly HeaderPair[] {
  const headers = toHeaders(request)
  const { mimeType = '', text: body = '', params, _file } = request.postData ?? {}
  const isTyped = findHeader(headers, 'content-type') !== undefined
  const isEmpty = body === '' && !params?.length && _file === undefined
  if (isTyped || isEmpty) return headers
  const isUnseen = mimeType === '' || mimeType === 'application/octet-stream'
  const isGuess = (isUnseen || mimeType.startsWith('text/plain')) && status !== 415
  const isJson = isGuess && readJsonBody(body) !== undefined
  const type = isJson ? 'application/json' : isUnseen ? null : mimeType
  return type === null ? headers : [...headers, ['content-type', type]]
}

/** Browsers add HTTP/2 pseudo headers (`:authority`), and join repeated headers with line breaks. */
function toHeaders({
  headers,
}: RawEntry['request'] | RawEntry['response']): ExchangedMessage['headers'] {
  return headers
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) => value.split(/\r?\n/, 100).map((part) => [name, part] as const))
}

function requestBody(request: RawEntry['request'], readers: BodyReaders): ReadBody {
  const { readFile = () => null } = readers
  const { postData, bodySize } = request
  const { text = '', params, mimeType = '', encoding, _encoding, _file } = postData ?? {}
  // Some exporters write the fields of a form instead of its text.
  if (text === '' && params?.length && /^application\/x-www-form-urlencoded/.test(mimeType)) {
    return { text: writeQuery(params.map(({ name, value = '' }) => [name, value])) }
  }
  const bytes = text === '' && _file !== undefined ? readFile(_file) : null
  if (bytes) return toBody(bytes, mimeType)
  // Chromium writes no body that was a Blob.
  const length = announcedLength(request)
  const size = [bodySize, length].find((bytes) => (bytes ?? -1) > 0)
  const type = mimeType || findHeader(toHeaders(request), 'content-type')
  const raw = { text, encoding: encoding ?? _encoding, mimeType: type, size }
  const body = readBody(['request', 'postData'], raw, readers)
  return withoutCutBody(body, Math.max(bodySize ?? 0, length), readers)
}

function responseBody({ request, response }: RawEntry, readers: BodyReaders): ReadBody {
  const { decode = () => null, readFile = () => null } = readers
  const { content, headers, bodySize } = response
  const { text = '', encoding, mimeType, size, _file } = content ?? {}
  const file = text === '' && _file !== undefined ? readFile(_file) : null
  if (file) return toBody(file, mimeType)
  const announced = request.method === 'HEAD' ? 0 : announcedLength(response)
  if (text === '' && isUnread(content) && announced !== 0)
    return { omitted: Math.max(0, announced) }
  // Playwright writes -1 for a size that it does not know, as that of a body that the page did not read.
  const knownSize = [size, bodySize, size === -1 ? announced : -1].find(
    (bytes) => (bytes ?? -1) >= 0,
  )
  const type = mimeType || findHeader(toHeaders(response), 'content-type')
  const raw = { text, encoding, mimeType: type, size: knownSize }
  const body = readBody(['response', 'content'], raw, readers)
  // k6 says that a body which it did not keep has no bytes. What succeeds has one, unless the service says so.
  const isLeftOut = content?.text === undefined && isSuccess(response.status) && announced !== 0
  if (body === null && (isLeftOut || announced > 0) && !isLost(response))
    return { omitted: Math.max(0, announced) }
  // The format wants the decoded body. Some exporters write the one that was sent.
  const sent = headers.find(({ name }) => /^content-encoding$/i.test(name))
  const isSent = sent && body !== null && 'base64' in body
  const decoded = isSent ? decode(decodeBase64(body.base64), sent.value) : null
  if (decoded) return toBody(decoded, mimeType)
  const noted = Math.max(size ?? 0, sent ? 0 : Math.max(announced, bodySize ?? 0))
  // What the network cut off is no fault of the exporter.
  return isLost(response) ? body : withoutCutBody(body, noted, readers)
}

/** An exporter that names no type of a body has not seen one. Chromium writes `x-unknown`, as for a beacon. */
function isUnread(content: RawEntry['response']['content']) {
  return content != null && /^(?:x-unknown)?$/.test(content.mimeType ?? '')
}

/** A body, or what is wrong with it in its entry. */
type ReadBody = ExchangedBody | null | { readonly issue: Issue }

/** How bodies are read that an archive has in another form. By default, they are not. */
export interface BodyReaders {
  /** Decodes a body by its `content-encoding`. Null if that is not possible */
  readonly decode?: (bytes: Uint8Array, encoding: string) => BodyBytes | null
  /** Whether there is room for a body that was decoded */
  readonly keep?: (bytes: Uint8Array) => BodyBytes
  /** Reads a file beside the archive, by its name. Null if there is none */
  readonly readFile?: (name: string) => BodyBytes | null
  /** Called for a body that is read otherwise than it is written. @param how what was done, without a full stop */
  readonly note?: (how: string, detail?: string) => void
}

/** The bytes of a body, or how many it has if they are too many. */
export type BodyBytes = Uint8Array | { readonly omitted: number }

/** @param type the header `content-type` */
function toBody(bytes: BodyBytes, type: string | undefined) {
  return 'omitted' in bytes ? bytes : bytesToExchangedBody(bytes, type)
}

interface RawBody {
  readonly text: string
  readonly encoding: string | undefined
  readonly mimeType: string | undefined
  /** Its length, if the exporter left it out */
  readonly size: number | null | undefined
}

function readBody(
  path: Path,
  { text, encoding = '', mimeType = '', size }: RawBody,
  { keep = (bytes) => bytes }: BodyReaders,
): ReadBody {
  if (!/^(|base64|utf-?8)$/i.test(encoding)) {
    const expected = `expected base64 or nothing, got ${inspectValue(encoding)}`
    return { issue: { path: [...path, 'encoding'], text: expected } }
  }
  if (text === '') return size && size > 0 ? { omitted: size } : null
  // Browsers also write text in base64 if they do not recognize its type.
  if (encoding.toLowerCase() !== 'base64') return { text }
  try {
    // A text that was cut off can end within four characters.
    const isWhole = text.length < 4 || !size || size * (4 / 3) <= text.length
    const kept = isWhole ? text : text.slice(0, text.length - (text.length % 4))
    return toBody(keep(decodeBase64(kept)), mimeType)
  } catch {
    return { issue: { path: [...path, 'text'], text: 'invalid base64' } }
  }
}

/**
 * A body, unless its exporter kept only the beginning, as tools with a limit do: it breaks off, and has fewer bytes than the
 * entry says. A service did not send that, so the body counts as not recorded.
 */
function withoutCutBody<Body extends ReadBody>(
  body: Body,
  size: number,
  { note }: BodyReaders,
): Body | ExchangedBody {
  if (!body || 'issue' in body || 'omitted' in body) return body
  const kept = exchangedLength(body)
  const isBroken =
    'base64' in body || (/^\uFEFF?\s*[[{]/.test(body.text) && readJsonBody(body.text) === undefined)
  if (kept >= size || !isBroken) return body
  const [some, all] = [kept, size].map((count) => count.toLocaleString('en'))
  note?.('Cut off by the exporter, and so not read: bodies of entry', `${some} of ${all} bytes`)
  return { omitted: size }
}

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
    if (findPath(address.slice(start))) return address.slice(0, start)
    start = address.indexOf('/api/', start + 1)
  }
  return null
}
