import { parsedJson } from '../parsed-json.ts'
import { literalWithin } from '../scenarios/literal.ts'
import type { Expected, RequestStep } from '../scenarios/scenario.ts'
import { type Place, placeOf, plain } from './address.ts'
import type { Disguised } from './disguise.ts'
import type { Exchange, ExchangedBody } from './exchange.ts'
import { headerOf, neededHeaders, tellingHeaders } from './headers.ts'
import { keyPart } from './key-part.ts'

/** A request as a step of a scenario, and what of it a step cannot say: each in words that go on "its …". */
export interface ExactStep {
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
export function exactStep(
  exchange: Exchange,
  baseUrl: string,
  json: Disguised['json'],
): ExactStep | null {
  const { method, url, request } = exchange
  const place = placeOf(url, baseUrl)
  if (!place || !methods.includes(method)) return null
  const { asked, key, body: without } = keyPart(exchange, place)
  const sent = sentBody(method, without, headerOf(request.headers, 'content-type'))
  const answered = expected(exchange, json)
  const headers = { ...texts(neededHeaders(request.headers)), ...sent.headers, ...key.headers }
  const { as } = key
  // What is copied stands behind what is named: fields that are added to a copy are many times slower.
  const step: RequestStep = {
    method,
    ...(asked as Place),
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

function sentBody(method: string, body: ExchangedBody | null, type: string | undefined): SentBody {
  const headers = type === undefined ? {} : { 'content-type': plain(type) }
  const leaves = (what: string): SentBody => ({ part: {}, headers, left_out: [what] })
  if (body === null || ('text' in body && body.text === '')) {
    return { part: {}, headers: method === 'GET' || method === 'HEAD' ? {} : headers, left_out: [] }
  }
  if ('omitted' in body) return leaves(`body of ${body.omitted} bytes, which was not kept`)
  if (method === 'GET' || method === 'HEAD') return leaves(`body, as ${method} carries none`)
  if ('base64' in body) return { part: body, headers, left_out: [] }
  const json = parsedJson(body.text)
  const isJson = type !== undefined && /^application\/json\b/i.test(type)
  const isSame = json && withoutSpace(body.text) === JSON.stringify(json.value)
  if (!isJson || !isSame) return { part: { text: body.text }, headers, left_out: [] }
  return { part: { body: literalWithin(json.value) }, headers: {}, left_out: [] }
}

interface Answered {
  readonly part: { readonly expect: Expected }
  readonly left_out: readonly string[]
}

function expected({ method, answer }: Exchange, json: Disguised['json']): Answered {
  const { status, body } = answer
  if (status === 0) return { part: { expect: { broken: true } }, left_out: [] }
  const headers = tellingHeaders(answer.headers, status === 405 || method === 'OPTIONS')
  const rest: Expected = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...expectedBody(body, json),
  }
  const lost = body && 'omitted' in body
  const left_out = lost ? [`answer's body of ${body.omitted} bytes, which was not kept`] : []
  if (status <= 599) return { part: { expect: { status, ...rest } }, left_out }
  return { part: { expect: rest }, left_out: [...left_out, `status of ${status}`] }
}

function expectedBody(body: ExchangedBody | null, json: Disguised['json']): Expected {
  if (body === null) return { text: '' }
  if ('omitted' in body) return {}
  if ('base64' in body) return body
  // A sign that stands for bytes that are no text is only compared in a text.
  if (!json || body.text.includes('\ufffd')) return { text: body.text }
  // Most answers have no such names, which is seen faster in their text.
  return { exact_body: /"(?:\$|\\)/.test(body.text) ? literalWithin(json.value) : json.value }
}

/** JSON without the space between its signs. */
function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function texts(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, plain(value)]))
}
