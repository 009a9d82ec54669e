import {
  type Exchange,
  type ExchangedMessage,
  encodeTextBase64,
  findHeader,
  type HeaderPair,
} from '../../http/exchange.ts'
import { tryParseJson } from '../../utils/json.ts'
import { type ExpectedResponse, type RequestStep, requestMethods } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import type { AnonymizedExchange } from './anonymize.ts'
import { escapeBraces, toExactAddress, toStepAddress, withoutKeyParameter } from './step-address.ts'
import { describeExchange } from './step-title.ts'

interface RecordedStep {
  /** Null if no step can send the request */
  readonly step: RequestStep | null
  /** What the step leaves out, such as `the response body of 12 bytes, which was not recorded` */
  readonly omitted: string[]
}

/**
 * Makes a step of a request and its response. An exact step repeats them byte for byte. Any other step repeats what they
 * mean, for people to read and edit.
 *
 * @param deletedRows the ids of the rows that earlier steps deleted. Changed in place
 */
export function toStep(
  { exchange, json }: AnonymizedExchange,
  { baseUrl, isExact }: { readonly baseUrl: string; readonly isExact: boolean },
  deletedRows: Set<string>,
): RecordedStep {
  const { method, url, request, key } = exchange
  const skip = (reason: string): RecordedStep => {
    return { step: null, omitted: [`${method} ${url} (${reason})`] }
  }
  if (!requestMethods.includes(method)) return skip('scenarios do not support this method')
  const written = isExact ? toExactAddress(url.slice(baseUrl.length)) : toStepAddress(url, baseUrl)
  if (!written) return skip('no step can send a request to this address')
  const authorization = findHeader(request.headers, 'authorization')
  const isLabelled = typeof key === 'string'
  const { address, body } =
    isLabelled && authorization === undefined
      ? withoutKeyParameter(written, request)
      : { address: written, body: request.body }
  const sent = toSentBody(method, { headers: request.headers, body }, isExact)
  if (!sent) return skip('its body was not recorded')
  const headers = {
    ...pickRequestHeaders(request.headers, isExact, sent.isTypeImplied),
    ...(!isLabelled &&
      authorization !== undefined && { authorization: escapeBraces(authorization) }),
  }
  const { status, body: received } = exchange.response
  const omitted = sent.omitted === undefined ? [] : [sent.omitted]
  if (received && 'omitted' in received) omitted.push(describeOmitted('response', received.omitted))
  if (status > 599) omitted.push(`the status ${status}, which is not valid`)
  // V8 is many times slower at adding fields to a copied object: the copies come last.
  const step: RequestStep = {
    method,
    ...address,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...sent.part,
    expect: isExact ? toExactResponse(exchange, baseUrl) : toExpectedResponse(exchange, json),
  }
  const title = isExact
    ? undefined
    : describeExchange(exchange, url.slice(baseUrl.length), json?.value, deletedRows)
  const head = { ...(title !== undefined && { title }), ...(isLabelled && { as: key }) }
  return { step: { ...head, ...step }, omitted }
}

interface SentBody {
  readonly part: Pick<RequestStep, 'body' | 'text' | 'base64'>
  /** Whether the step need not name the content type */
  readonly isTypeImplied?: boolean
  readonly omitted?: string
}

/** Returns null if the step would send other bytes, as the body was not recorded. */
function toSentBody(
  method: string,
  { headers, body }: ExchangedMessage,
  isExact: boolean,
): SentBody | null {
  const type = findHeader(headers, 'content-type')
  const isRead = method === 'GET' || method === 'HEAD'
  if (body === null || (!isExact && 'text' in body && body.text === '')) {
    return { part: {}, isTypeImplied: isRead && !isExact }
  }
  if (isExact && isRead) return { part: {} }
  if ('omitted' in body) {
    return isExact ? null : { part: {}, omitted: describeOmitted('request', body.omitted) }
  }
  if (isRead) {
    return { part: {}, omitted: `the request body, as scenarios send none with ${method}` }
  }
  if ('base64' in body) return { part: body }
  const { text } = body
  // fetch adds a content type to a text that has none, but not to bytes.
  if (isExact && type === undefined) return { part: { base64: encodeTextBase64(text) } }
  const json = isExact || /^application\/json\b/i.test(type ?? '') ? tryParseJson(text) : undefined
  const isSame =
    json && JSON.stringify(json.value) === (isExact ? text : text.replace(whitespace, '$1'))
  const isScalar = typeof json?.value !== 'object' || json.value === null
  if (!isSame || (isExact && isScalar)) return { part: { text } }
  const isTypeImplied = !isExact || type === 'application/json'
  return { part: { body: escapeLiterals(json.value) }, isTypeImplied }
}

/** Whitespace outside the strings of a JSON text, or one of its strings. */
const whitespace = /("(?:[^"\\]|\\.)*")|\s+/g

function describeOmitted(message: 'request' | 'response', bytes: number): string {
  return `the ${message} body of ${bytes} bytes, which was not recorded`
}

function toExpectedResponse(
  { method, response: { status, headers, body } }: Exchange,
  json: AnonymizedExchange['json'],
): ExpectedResponse {
  const names = [...responseHeaders, ...(status === 405 || method === 'OPTIONS' ? ['allow'] : [])]
  const type = findHeader(headers, 'content-type')
  return assembleResponse(
    status,
    {
      // The expected body already says that it is JSON.
      ...(type !== undefined && !/json/i.test(type) && { 'content-type': type }),
      ...Object.fromEntries(lowerCaseNames(headers).filter(([name]) => names.includes(name))),
    },
    toExpectedBody(body, json),
  )
}

/** Identifies a response, besides its content type. */
const responseHeaders = ['location', 'retry-after', 'www-authenticate']

function assembleResponse(
  status: number,
  headers: Record<string, unknown>,
  body: ExpectedResponse,
): ExpectedResponse {
  if (status === 0) return { broken: true }
  return {
    ...(status <= 599 && { status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...body,
  }
}

function toExpectedBody(
  body: ExchangedMessage['body'],
  json: AnonymizedExchange['json'],
): ExpectedResponse {
  if (body === null) return { text: '' }
  if ('omitted' in body) return {}
  if ('base64' in body) return body
  // U+FFFD can stand for invalid bytes. Only a text is compared byte for byte.
  if (!json || body.text.includes('\ufffd')) return { text: body.text }
  // Testing the text is faster than walking the value, and most responses have no such names.
  return { exact_body: /"(?:\$|\\)/.test(body.text) ? escapeLiterals(json.value) : json.value }
}

function toExactResponse(
  { method, response: { status, headers, body } }: Exchange,
  baseUrl: string,
): ExpectedResponse {
  const shown = lowerCaseNames(headers).filter(([name]) => !transportHeaders.test(name))
  return assembleResponse(
    status,
    Object.fromEntries(shown.map(([name, value]) => [name, withBaseUrl(value, baseUrl)])),
    method === 'HEAD' || (body && 'omitted' in body)
      ? {}
      : body && 'base64' in body
        ? body
        : { text: withBaseUrl(body?.text ?? '', baseUrl) },
  )
}

/** Headers of the transport, secret headers, and the length, which follows from the body. */
const transportHeaders =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|server|set-cookie|access-control-.*)$/

function withBaseUrl(text: string, baseUrl: string): string | { $text: string } {
  if (!text.includes(baseUrl)) return text
  return { $text: escapeBraces(text).replaceAll(baseUrl, '{base_url}') }
}

/** Headers of the connection, the client or the caller. The response does not depend on them. */
const irrelevantHeaders =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-encoding|accept-encoding|accept-language|accept-charset|user-agent|authorization|x-api-key|cookie|origin|referer|sec-.*|dnt|pragma|cache-control|priority|date|via|forwarded|x-forwarded-.*|x-real-ip|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-msw-.*|understudy-.*)$/

/** An exact recording contains no other request headers, as an unknown one may hold a secret. */
const exactRequestHeaders = ['accept', 'content-type']

const writableValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** The request headers that the response depends on, without the key. */
function pickRequestHeaders(
  headers: readonly HeaderPair[],
  isExact: boolean,
  isTypeImplied = false,
): Record<string, string> {
  const isRelevant = ([name, value]: HeaderPair): boolean => {
    if (name === 'content-type') return !isTypeImplied
    if (isExact) return exactRequestHeaders.includes(name) && value !== '*/*'
    if (name === 'accept' && /\*\/\*|json/i.test(value)) return false
    return !irrelevantHeaders.test(name) && writableValue.test(value)
  }
  const relevant = lowerCaseNames(headers).filter(isRelevant)
  return Object.fromEntries(relevant.map(([name, value]) => [name, escapeBraces(value)]))
}

function lowerCaseNames(headers: readonly HeaderPair[]): HeaderPair[] {
  return headers.map(([name, value]) => [name.toLowerCase(), value])
}
