import { tryParseJson } from '../parsed-json.ts'
import { escapeLiterals } from '../scenarios/literal.ts'
import type { ExpectedResponse, RequestStep } from '../scenarios/scenario.ts'
import { escapeBraces, type StepAddress, toStepAddress } from './address.ts'
import type { AnonymizedExchange } from './disguise.ts'
import type { Exchange, ExchangedBody } from './exchange.ts'
import { findHeader, pickRequestHeaders, pickResponseHeaders } from './headers.ts'
import { separateKey } from './key-part.ts'

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
