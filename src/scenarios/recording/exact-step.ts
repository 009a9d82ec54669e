import type { Exchange, ExchangedBody } from '../../http/exchange.ts'
import { encodeTextBase64, findHeader } from '../../http/exchange.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { TextBody } from '../../utils/redaction/text-body.ts'
import type { ExpectedResponse, RequestStep } from '../format/scenario.ts'
import { escapeLiterals, toLiteral } from '../format/values.ts'
import type { AnonymizedExchange } from './anonymize.ts'
import { separateKey, type UnknownKeys } from './request-keys.ts'
import {
  escapeBraces,
  isFormBody,
  pickRequestHeaders,
  pickResponseHeaders,
  type StepAddress,
  toStepAddress,
} from './request-parts.ts'

/** A request as a step of a scenario, and what of it a step cannot say: each in words that go on "its …". */
export interface RecordedStep {
  readonly step: RequestStep
  readonly left_out: readonly string[]
}

/**
 * An exchange as a step that asks the same again and expects the same answer, whole.
 *
 * @param baseUrl where the API begins
 * @param json what the body of the answer says, where it is JSON
 * @returns null for a request that no scenario can send: to another address, or with another method
 */
export function toRecordedStep(
  exchange: Exchange,
  baseUrl: string,
  json: AnonymizedExchange['json'],
): RecordedStep | null {
  const { method, url, request } = exchange
  const place = toStepAddress(url, baseUrl)
  if (!place || !methods.includes(method)) return null
  const { address, key, body: without } = separateKey(exchange, place)
  const sent = toSentBody(method, without, findHeader(request.headers, 'content-type'))
  const answered = toExpectedPart(exchange, json)
  const headers = {
    ...escapeHeaders(pickRequestHeaders(request.headers)),
    ...sent.headers,
    ...key.headers,
  }
  const { as } = key
  // What is copied stands behind what is named: fields that are added to a copy are many times slower.
  const step: RequestStep = {
    method,
    ...(address as StepAddress),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...sent.part,
    ...answered.part,
  }
  return {
    step: as === undefined ? step : { as, ...step },
    left_out: [...sent.left_out, ...answered.left_out],
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface SentBody {
  readonly part: Pick<RequestStep, 'body' | 'text' | 'base64'>
  readonly headers: Readonly<Record<string, string>>
  readonly left_out: readonly string[]
}

function toSentBody(
  method: string,
  body: ExchangedBody | null,
  type: string | undefined,
): SentBody {
  const headers = type === undefined ? {} : { 'content-type': escapeBraces(type) }
  const leaves = (what: string): SentBody => ({ part: {}, headers, left_out: [what] })
  if (body === null || ('text' in body && body.text === '')) {
    return { part: {}, headers: method === 'GET' || method === 'HEAD' ? {} : headers, left_out: [] }
  }
  if ('omitted' in body) return leaves(`body of ${body.omitted} bytes, which was not kept`)
  if (method === 'GET' || method === 'HEAD') return leaves(`body, as ${method} carries none`)
  if ('base64' in body) return { part: body, headers, left_out: [] }
  const json = tryParseJson(body.text)
  const isJson = type !== undefined && /^application\/json\b/i.test(type)
  const isSame = json && withoutWhitespace(body.text) === JSON.stringify(json.value)
  if (!isJson || !isSame) return { part: { text: body.text }, headers, left_out: [] }
  return { part: { body: escapeLiterals(json.value) }, headers: {}, left_out: [] }
}

interface ExpectedPart {
  readonly part: { readonly expect: ExpectedResponse }
  readonly left_out: readonly string[]
}

function toExpectedPart(
  { method, answer }: Exchange,
  json: AnonymizedExchange['json'],
): ExpectedPart {
  const { status, body } = answer
  if (status === 0) return { part: { expect: { broken: true } }, left_out: [] }
  const headers = pickResponseHeaders(answer.headers, status === 405 || method === 'OPTIONS')
  const rest: ExpectedResponse = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...toExpectedBody(body, json),
  }
  const lost = body && 'omitted' in body
  const left_out = lost ? [`answer's body of ${body.omitted} bytes, which was not kept`] : []
  if (status <= 599) return { part: { expect: { status, ...rest } }, left_out }
  return { part: { expect: rest }, left_out: [...left_out, `status of ${status}`] }
}

function toExpectedBody(
  body: ExchangedBody | null,
  json: AnonymizedExchange['json'],
): ExpectedResponse {
  if (body === null) return { text: '' }
  if ('omitted' in body) return {}
  if ('base64' in body) return body
  // A sign that stands for bytes that are no text is only compared in a text.
  if (!json || body.text.includes('\ufffd')) return { text: body.text }
  // Most answers have no such names, which is seen faster in their text.
  return { exact_body: /"(?:\$|\\)/.test(body.text) ? escapeLiterals(json.value) : json.value }
}

/** JSON without the space between its signs. */
function withoutWhitespace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function escapeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, escapeBraces(value)]),
  )
}

/** Headers that an answer depends on; what else is sent may be nobody's business. */
const exactHeaders = ['accept', 'content-type']

const exactMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A step, or why there can be none. */
export type ExactStep = { readonly step: RequestStep } | { readonly lost: string }

/**
 * A request as it was sent, and its answer as it came, byte for byte: only where the API begins is left open.
 * Keys that nobody knows, which may be somebody's own, are replaced.
 *
 * @param keys replaces them
 * @param baseUrl where the API begins, without a slash at its end; by default the origin of the request
 */
export function toExactStep(
  exchange: Exchange,
  keys: UnknownKeys,
  baseUrl: string = /^https?:\/\/[^/]*/.exec(exchange.url)?.[0] ?? '',
): ExactStep {
  const { method, url, request } = exchange
  keys.collect(exchange)
  const target = keys.requestHider.url(url.slice(baseUrl.length))
  if (!exactMethods.includes(method)) return { lost: `a request of the method ${method}` }
  if (!isSentAsWritten(target))
    return { lost: `a request to an address that cannot be written: ${target}` }
  const { as, authorization } = keys.keyForStep(request.headers)
  const body = toExactBody(exchange, keys)
  if (body === null) return { lost: `a request whose body was not kept: ${method} ${target}` }
  const headers = Object.fromEntries([
    ...request.headers
      .filter(
        ([name, value]) =>
          exactHeaders.includes(name) && !body.impliedHeaders.includes(name) && value !== '*/*',
      )
      .map(([name, value]) => [name, keys.requestHider.header(name, value)]),
    ...(authorization === undefined ? [] : [['authorization', authorization]]),
  ])
  return {
    step: {
      ...(as !== undefined && { as }),
      method,
      path: escapeBraces(target),
      ...(Object.keys(headers).length > 0 && { headers: mapHeaders(headers, escapeBraces) }),
      ...body.sent,
      expect: toExactResponse(exchange, keys, baseUrl),
    } as RequestStep,
  }
}

/** Whether an address is sent as it is written. */
function isSentAsWritten(target: string): boolean {
  if (!/^\/[^\s#]*$/.test(target)) return false
  const url = `http://localhost${target}`
  return URL.canParse(url) && new URL(url).href === url
}

function mapHeaders(
  headers: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]))
}

/** How a step sends a body. */
interface ExactBody {
  readonly sent: Pick<RequestStep, 'body' | 'text' | 'base64'>
  /** The headers that it says by that */
  readonly impliedHeaders: readonly string[]
}

/** The body of a request, so that the same bytes are sent again; null where it was not kept. */
function toExactBody(
  { method, request: { headers, body } }: Exchange,
  keys: UnknownKeys,
): ExactBody | null {
  // Nothing sends one with them, and the service reads none.
  if (body === null || method === 'GET' || method === 'HEAD')
    return { sent: {}, impliedHeaders: [] }
  if ('omitted' in body) return null
  if ('base64' in body)
    return { sent: { base64: keys.requestHider.base64(body.base64) }, impliedHeaders: [] }
  const { text } = keys.requestHider.body(new TextBody(body.text, isFormBody(headers)))
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  // A text gets a type of its own where it is sent without one; bytes do not.
  if (type === undefined) {
    return { sent: { base64: encodeTextBase64(text) }, impliedHeaders: [] }
  }
  const value = parseCanonicalJson(text)
  if (value === undefined) return { sent: { text }, impliedHeaders: [] }
  return {
    sent: { body: toLiteral(value) },
    impliedHeaders: type === 'application/json' ? ['content-type'] : [],
  }
}

/** The value of a JSON text that is written as we would write it; undefined for any other text. */
function parseCanonicalJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isFlat = isObject(value) || Array.isArray(value)
    return isFlat && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** Headers of the way an answer took, or that are secret; the length of a body is told by the body. */
const transportHeaders =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|server|set-cookie|access-control-.*)$/

/** What is expected of an answer that came: the same one, byte for byte, wherever the API is. */
function toExactResponse(
  { method, answer }: Exchange,
  keys: UnknownKeys,
  baseUrl: string,
): ExpectedResponse {
  const { status, headers, body } = answer
  if (status === 0) return { broken: true }
  const shown = headers
    .filter(([name]) => !transportHeaders.test(name))
    .map(([name, value]) => [name, withBaseUrl(keys.responseHider.header(name, value), baseUrl)])
  return {
    status,
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    ...(method !== 'HEAD' && toExactResponseBody(body, keys, baseUrl)),
  }
}

function toExactResponseBody(
  body: ExchangedBody | null,
  { responseHider }: UnknownKeys,
  baseUrl: string,
): Pick<ExpectedResponse, 'text' | 'base64'> {
  if (body === null || 'omitted' in body) return {}
  if ('base64' in body) return { base64: responseHider.base64(body.base64) }
  return { text: withBaseUrl(responseHider.text(body.text), baseUrl) }
}

function withBaseUrl(text: string, baseUrl: string): string | { $text: string } {
  if (!text.includes(baseUrl)) return text
  return { $text: escapeBraces(text).replaceAll(baseUrl, '{base_url}') }
}
