import type { Content, Entry, Har, PostData, QueryString, Request } from 'har-format'
import {
  type Exchange,
  type ExchangedMessage,
  exchangedLength,
  findHeader,
  type HeaderPair,
} from '../../http/exchange.ts'
import { parseQuery } from '../../utils/query.ts'
import { version } from '../../utils/version.ts'

/**
 * Converts requests and responses to a HAR 1.2 archive.
 *
 * @example await writeFile('run.har', JSON.stringify(exchangesToHar(exchanges)))
 */
export function exchangesToHar(exchanges: Iterable<Exchange>): Har {
  return createHar(Array.from(exchanges, (exchange) => toHarEntry(exchange)))
}

/** @param comment what is missing. Empty if nothing is */
export function createHar(entries: Entry[], comment = ''): Har {
  const creator = { name: 'understudy-api', version }
  return { log: { version: '1.2', creator, entries, ...(comment && { comment }) } }
}

/** Converts a request and its response to a HAR entry. The custom field `_key` has the label of the key. */
export function toHarEntry(
  { at, ms, method, url, key, request, response }: Exchange,
  comment?: string,
): Entry {
  const postData = toPostData(request)
  const responseParts = toMessage(response)
  const entry: Entry = {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url: url.split('#')[0] as string,
      queryString: toQueryString(url),
      ...toMessage(request),
    },
    response: {
      // As in archives of Playwright, which leaves such a request waiting, and would play 0 as an empty response.
      status: response.status || -1,
      statusText: '',
      content: toContent(response, responseParts.bodySize),
      redirectURL: findHeader(response.headers, 'location') ?? '',
      ...responseParts,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
  if (postData) entry.request.postData = postData
  if (typeof key === 'string') entry._key = key
  if (comment !== undefined) entry.comment = comment
  return entry
}

const omittedComment = 'this body was not kept'

type HarMessage = Pick<Request, 'httpVersion' | 'cookies' | 'headers' | 'headersSize' | 'bodySize'>

/** The API has no cookies: those that a client sends are in its headers. */
function toMessage({ headers, body }: ExchangedMessage): HarMessage {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toNameValues(headers),
    headersSize: -1,
    bodySize: exchangedLength(body),
  }
}

/** HAR has no encoding for request bodies, so base64 is marked by the custom field `_encoding`. */
type HarPostData = PostData & { _encoding?: 'base64' }

function toPostData({ headers, body }: ExchangedMessage): HarPostData | null {
  if (body === null) return null
  const mimeType = contentType(headers)
  if ('omitted' in body) return { mimeType, text: '', comment: omittedComment }
  return 'text' in body
    ? { mimeType, text: body.text }
    : { mimeType, text: body.base64, _encoding: 'base64' }
}

function toContent({ headers, body }: ExchangedMessage, size: number): Content {
  const mimeType = contentType(headers)
  if (body === null) return { size, mimeType, text: '' }
  if ('omitted' in body) return { size, mimeType, comment: omittedComment }
  return 'text' in body
    ? { size, mimeType, text: body.text }
    : { size, mimeType, text: body.base64, encoding: 'base64' }
}

function contentType(headers: readonly HeaderPair[]) {
  return findHeader(headers, 'content-type') ?? 'application/octet-stream'
}

function toQueryString(url: string): QueryString[] {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(url) ?? []
  return query === undefined ? [] : toNameValues([...parseQuery(query)])
}

function toNameValues(pairs: readonly HeaderPair[]) {
  return pairs.map(([name, value]) => ({ name, value }))
}
