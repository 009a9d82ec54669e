import { findRoute } from '../../api/endpoints.ts'
import {
  decodeBase64,
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
  findHeader,
  type HeaderPair,
} from '../../http/exchange.ts'
import { queryString, requestTarget } from '../../http/messages.ts'
import type { OperationId } from '../../http/operation-id.ts'
import { sandboxPrefix } from '../../http/route.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { requestMethods } from '../../simulator/request-pattern.ts'
import { detailOf, isObject } from '../../utils/json.ts'
import { parseQuery } from '../../utils/query.ts'
import { formatCount } from '../../utils/text.ts'
import type { ExpectedResponse, RequestStep } from '../format/scenario.ts'
import { escapeBraces, escapeLiterals } from '../format/values.ts'
import type { HiddenExchange } from './hide.ts'

interface WrittenStep {
  /** Null if no step can send the request */
  readonly step: RequestStep | null
  /** What the step leaves out, such as `the response body of 12 bytes, which was not recorded` */
  readonly omitted: string[]
}

/** Makes a step that repeats what a request and its response mean, for people to read and edit. */
export function toStep(hidden: HiddenExchange, baseUrl: string): WrittenStep {
  const { method, url, key, request, response } = hidden.exchange
  const skip = (reason: string): WrittenStep => {
    return { step: null, omitted: [`${method} ${url} (${reason})`] }
  }
  if (!requestMethods.some((name) => name === method))
    return skip('scenarios do not support this method')
  const path = toStepPath(url, baseUrl)
  if (path === null) return skip('no step can send a request to this address')
  const title = describeExchange(hidden, url.slice(baseUrl.length))
  const { part, isTypeImplied, omitted: withoutBody } = toSentBody(hidden)
  // A step names the key by its label, and repeats a key without one.
  const isLabelled = typeof key === 'string'
  const authorization = findHeader(request.headers, 'authorization')
  const headers = {
    ...pickRequestHeaders(request.headers, isTypeImplied),
    ...(authorization !== undefined &&
      !isLabelled && { authorization: escapeBraces(authorization) }),
  }
  const { status, body } = response
  const omitted = withoutBody === undefined ? [] : [withoutBody]
  if (body && !('text' in body)) omitted.push(describeOmitted('response', body))
  if (status > 599) omitted.push(`the status ${status}, which is not valid`)
  const step: RequestStep = {
    ...(title && { title }),
    ...(isLabelled && { as: key }),
    method,
    path,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...part,
    expect: toExpectedResponse(hidden),
  }
  return { step, omitted }
}

interface SentBody {
  readonly part: Pick<RequestStep, 'body' | 'text'>
  /** Whether the step need not name the content type */
  readonly isTypeImplied?: boolean
  readonly omitted?: string
}

function toSentBody({ exchange, sent }: HiddenExchange): SentBody {
  const { method, request } = exchange
  const { headers, body } = request
  const isRead = method === 'GET' || method === 'HEAD'
  if (body === null || ('text' in body && body.text === '')) {
    return { part: {}, isTypeImplied: isRead }
  }
  if (isRead) {
    return { part: {}, omitted: `the request body, as scenarios send none with ${method}` }
  }
  if (!('text' in body)) {
    return { part: { body: { $match: 'any' } }, omitted: describeOmitted('request', body) }
  }
  const { text } = body
  const isJson = /^application\/json\b/i.test(findHeader(headers, 'content-type') ?? '')
  const isSame = isJson && sent && JSON.stringify(sent.value) === text.replace(whitespace, '$1')
  if (!isSame) return { part: { text } }
  return { part: { body: escapeLiterals(sent.value) }, isTypeImplied: true }
}

/** Whitespace outside the strings of a JSON text, or one of its strings. */
const whitespace = /("(?:[^"\\]|\\.)*")|\s+/g

function describeOmitted(
  message: 'request' | 'response',
  body: Exclude<ExchangedBody, { readonly text: string }>,
) {
  if (!('omitted' in body))
    return `the binary ${message} body of ${formatCount(decodeBase64(body.base64).length, 'byte')}`
  const size = body.omitted > 0 ? ` of ${formatCount(body.omitted, 'byte')}` : ''
  return `the ${message} body${size}, which was not recorded`
}

function toExpectedResponse({ exchange, received }: HiddenExchange): ExpectedResponse {
  const { method, response } = exchange
  const { status, headers, body } = response
  if (status === 0) return { broken: true }
  const names = [...responseHeaders, ...(status === 405 || method === 'OPTIONS' ? ['allow'] : [])]
  const type = findHeader(headers, 'content-type')
  const expected = {
    // The expected body already says that it is JSON.
    ...(type !== undefined && !/json/i.test(type) && { 'content-type': type }),
    ...Object.fromEntries(lowerCaseNames(headers).filter(([name]) => names.includes(name))),
  }
  return {
    ...(status <= 599 && { status }),
    ...(Object.keys(expected).length > 0 && { headers: expected }),
    ...toExpectedBody(body, received),
  }
}

/** What a client acts on in a response, besides its content type. */
export const responseHeaders = ['location', 'retry-after', 'www-authenticate']

function toExpectedBody(
  body: ExchangedMessage['body'],
  json: HiddenExchange['received'],
): ExpectedResponse {
  if (body === null) return { text: '' }
  if (!('text' in body)) return {}
  // U+FFFD can stand for invalid bytes. Only a text is compared byte for byte.
  if (!json || body.text.includes('\ufffd')) return { text: body.text }
  return { exact_body: escapeLiterals(json.value) }
}

/** Headers of the connection, the client or the caller. The response does not depend on them. */
const irrelevantHeaders =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-encoding|accept-encoding|accept-language|accept-charset|user-agent|authorization|x-api-key|cookie|origin|referer|sec-.*|dnt|pragma|cache-control|priority|date|via|forwarded|x-forwarded-.*|x-real-ip|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-msw-.*|understudy-.*)$/

const writableName = /^[!#$%&'*+.^_`|~\w-]+$/

export const writableValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** The request headers that the response depends on, without the key. */
function pickRequestHeaders(
  headers: readonly HeaderPair[],
  isTypeImplied = false,
): Record<string, string> {
  const relevant = lowerCaseNames(headers).filter(([name, value]) => {
    if (name === 'content-type') return !isTypeImplied
    if (name === 'accept' && /\*\/\*|json/i.test(value)) return false
    const isWritable = writableName.test(name) && writableValue.test(value)
    return isWritable && !irrelevantHeaders.test(name)
  })
  return Object.fromEntries(
    relevant.map(([name, value]) => [name, escapeBraces(inUtf8(name, value))]),
  )
}

/** A step is sent in UTF-8, whatever the charset of the recorded body was. */
function inUtf8(name: string, value: string) {
  return name === 'content-type' ? value.replace(/;\s*charset=(?!"?utf-?8\b)[^;]*/i, '') : value
}

function lowerCaseNames(headers: readonly HeaderPair[]): HeaderPair[] {
  return headers.map(([name, value]) => [name.toLowerCase(), value])
}

/** Guesses the base URL of an address: the part before `/api`, or else the URL of a sandbox, or the origin. */
export function guessBaseUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  const [start = ''] = startOfUrl.exec(path) ?? []
  const at = path.slice(start.length).search(/\/api(?:\/|$)/)
  return at < 0 ? start : path.slice(0, start.length + at)
}

/** The origin, and the path of a sandbox if there is one: a scenario can be replayed in any. */
const startOfUrl = new RegExp(`^[a-z][\\w+.-]*://[^/]*(?:.*?${sandboxPrefix}/[^/]+)?`, 'i')

/** The path and the query of an address without a fragment, as a step writes them. Null if it is not below the base URL. */
function toStepPath(url: string, baseUrl: string): string | null {
  if (!`${url.split('?')[0]}/`.startsWith(`${baseUrl}/`)) return null
  const [path = '', ...rest] = url.slice(baseUrl.length).split('?')
  return escapeBraces([path || '/', ...rest].join('?'))
}

/** The profile `live` has every operation, also those that the documentation lacks. */
const settings = resolveSettings('live')

/** The operation to which a request leads, whatever the settings of the service. Null for none */
export function operationOf({ method, url }: Pick<Exchange, 'method' | 'url'>): OperationId | null {
  return findRoute({ method, target: requestTarget(url) }, settings)?.endpoint.operation ?? null
}

/**
 * Describes a request by its operation and its outcome, such as `List annotations, page 2` or `Create annotation:
 * refused, scope missing`. Undefined for a request to no operation.
 *
 * @param target the path and query below the base URL
 */
function describeExchange(
  { exchange, sent, received }: HiddenExchange,
  target: string,
): string | undefined {
  const { method, response } = exchange
  const { status } = response
  const id = operationOf(exchange)
  if (!id) return undefined
  const operation = operationWords(id) + describePage(target)
  if (status === 0) return `${operation}: connection broken`
  if (status >= 400) return `${operation}: ${describeRefusal(status, received?.value)}`
  const isDeleted = [sent, received].every(
    (body) => isObject(body?.value) && body.value.deleted === true,
  )
  return isDeleted && method === 'PATCH' ? `${operation}: deleted` : operation
}

/** @example operationWords('createAnnotation') // 'Create annotation' */
export function operationWords(id: string): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function describePage(target: string) {
  const query = parseQuery(queryString(target))
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
  if (!(offset > 0)) return ''
  const page = offset / limit + 1
  return Number.isInteger(page) ? `, page ${page}` : `, from row ${offset + 1}`
}

const refusals: Readonly<Record<number, string>> = {
  401: 'no valid key',
  403: 'permission denied',
  405: 'method not allowed',
  413: 'body too large',
  415: 'unsupported media type',
  429: 'throttled',
}

function describeRefusal(status: number, body: unknown) {
  if (status === 404) return 'not found'
  const { code, attr } = isObject(body) ? body : {}
  if (status === 403 && /required scope/.test(detailOf(body))) return 'refused, scope missing'
  const reason = refusals[status]
  if (reason !== undefined) return `refused, ${reason}`
  if (status !== 400 || !isWord(code)) return `failed with ${status}`
  return `refused, ${code.replaceAll('_', ' ')}${isWord(attr) ? ` in ${attr}` : ''}`
}

/** Texts of another service can be anything. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z_]{1,40}$/.test(value)
}
