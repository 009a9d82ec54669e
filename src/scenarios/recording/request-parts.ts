import { type ExchangedMessage, findHeader } from '../../http/exchange.ts'
import type { RequestStep } from '../format/scenario.ts'

/** Where a request goes, as a scenario says it. */
export type StepAddress = Pick<RequestStep, 'path' | 'query'>

/**
 * Where the API begins, as far as an address tells: what stands before `/api`, else its origin.
 *
 * @example baseOf('https://example.com/mock/api/projects/') // 'https://example.com/mock'
 */
export function guessBaseUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  const [origin = ''] = /^[a-z][\w+.-]*:\/\/[^/]*/i.exec(path) ?? []
  const at = path.slice(origin.length).search(/\/api(?:\/|$)/)
  return at < 0 ? origin : path.slice(0, origin.length + at)
}

/**
 * The path and the query of an address below a base URL, where no sign stands for a saved value; null for one that
 * lies elsewhere.
 *
 * @example placeOf('http://a.test/api/projects/?limit=2', 'http://a.test') // { path: '/api/projects/', query: { limit: 2 } }
 */
export function toStepAddress(url: string, baseUrl: string): StepAddress | null {
  const [address = ''] = url.split('#')
  if (!isBelowBaseUrl(`${address.split('?')[0]}/`, baseUrl)) return null
  const [path = '', ...rest] = address.slice(baseUrl.length).split('?')
  const place = { path: escapeBraces(path === '' ? '/' : path) }
  if (rest.length === 0) return place
  const text = rest.join('?')
  const pairs = [...new URLSearchParams(text)]
  const isSame = isRepeatableQuery(text, pairs)
  if (!isSame) return { path: `${place.path}?${escapeBraces(text)}` }
  return {
    ...place,
    query: Object.fromEntries(pairs.map(([name, value]) => [name, parseQueryValue(value)])),
  }
}

/** Whether an address is one below a base URL. */
export function isBelowBaseUrl(address: string, baseUrl: string): boolean {
  return address.startsWith(baseUrl) && address[baseUrl.length] === '/'
}

/** A text in which no sign stands for a saved value. */
export function escapeBraces(text: string): string {
  return text.replace(/\{(\w+)\}/g, '{{$1}}')
}

/** Whether a query can be told by its names and values: each name once, and encoded as it will be again. */
function isRepeatableQuery(text: string, pairs: readonly [string, string][]): boolean {
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return false
  // `{` is not encoded by everyone, and a space in two ways; neither makes a difference.
  const encoded = String(new URLSearchParams([...pairs]))
  const meant = (query: string): string => decodeURIComponent(query.replaceAll('+', '%20'))
  try {
    return (
      text !== '' && meant(text) === meant(encoded) && !pairs.some(([name]) => /\{\w+\}/.test(name))
    )
  } catch {
    return false
  }
}

/** A number where it is written as one. */
function parseQueryValue(value: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : escapeBraces(value)
}

type Headers = ExchangedMessage['headers']

/** Whether a body is that of a form. */
export function isFormBody(headers: Headers): boolean {
  return /^application\/x-www-form-urlencoded/i.test(findHeader(headers, 'content-type') ?? '')
}

/** Headers of a request that belong to the connection, to the client, or to who asks: they decide no answer. */
const irrelevantHeaders =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-type|content-encoding|accept-encoding|accept-language|accept-charset|user-agent|authorization|x-api-key|cookie|origin|referer|sec-.*|dnt|pragma|cache-control|priority|date|via|forwarded|x-forwarded-.*|x-real-ip|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-msw-.*|understudy-.*)$/

/** Headers of an answer that say something of it. */
const relevantResponseHeaders = ['location', 'retry-after', 'www-authenticate']

/** What a header can hold in a scenario. */
const writableValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** The headers that a request needs to be answered as it was, but for its key and what its body is. */
export function pickRequestHeaders(headers: Headers): Record<string, string> {
  const needed = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !irrelevantHeaders.test(name) && writableValue.test(value))
    .filter(([name, value]) => name !== 'accept' || !/\*\/\*|json/i.test(value))
  return Object.fromEntries(needed)
}

/**
 * The headers by which an answer is known again.
 *
 * @param tellsMethods whether it is about which methods there are
 */
export function pickResponseHeaders(
  headers: Headers,
  tellsMethods: boolean,
): Record<string, string> {
  const type = findHeader(headers, 'content-type')
  return {
    // That a body is JSON is seen from what is expected of it.
    ...(type !== undefined && !/json/i.test(type) && { 'content-type': type }),
    ...Object.fromEntries(
      headers
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(
          ([name]) => relevantResponseHeaders.includes(name) || (tellsMethods && name === 'allow'),
        ),
    ),
  }
}
