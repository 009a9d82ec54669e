import type { ExchangedMessage } from './exchange.ts'

type Headers = ExchangedMessage['headers']

/** The value of a header, by its name in small letters; undefined where it is not there. */
export function findHeader(headers: Headers, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1]
}

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
