import type { Exchange, ExchangedBody, ExchangedMessage } from '../../http/exchange.ts'
import { utf8Length } from '../../utils/json-text.ts'
import { version } from '../../utils/version.ts'
import type { Har, HarContent, HarEntry, HarMessage, HarPair, HarPostData } from './har.ts'

/** Requests and their answers as an archive. @example await writeFile('run.har', JSON.stringify(harOf(exchanges))) */
export function exchangesToHar(exchanges: Iterable<Exchange>): Har {
  return createHar(Array.from(exchanges, (exchange) => toHarEntry(exchange)))
}

/** Entries as an archive. */
export function createHar(entries: HarEntry[]): Har {
  const creator = { name: 'understudy-api', version }
  return { log: { version: '1.2', creator, entries } }
}

/**
 * One request and its answer as an entry.
 *
 * @param comment what is to be known of it besides
 */
export function toHarEntry(
  { at, ms, method, url, key, request, answer }: Exchange,
  comment?: string,
): HarEntry {
  const postData = toPostData(request)
  const heard = toHarMessage(answer, 'set-cookie')
  // What is copied stands last: fields that are added to a copy are many times slower.
  const entry: HarEntry = {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url: url.split('#')[0] as string,
      queryString: toQueryString(url),
      ...toHarMessage(request, 'cookie'),
    },
    response: {
      status: answer.status,
      statusText: '',
      content: toContent(answer, heard.bodySize),
      redirectURL: findHeader(answer.headers, 'location') ?? '',
      ...heard,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
  if (postData) entry.request.postData = postData
  if (typeof key === 'string') entry._key = key
  if (comment !== undefined) entry.comment = comment
  return entry
}

const bodyNotRetained = 'this body was not kept'

function toHarMessage(
  { headers, body }: ExchangedMessage,
  cookies: 'cookie' | 'set-cookie',
): HarMessage {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: parseCookies(headers, cookies),
    headers: toPairs(headers),
    headersSize: -1,
    bodySize: countBytes(body),
  }
}

function toPostData({ headers, body }: ExchangedMessage): HarPostData | null {
  if (body === null) return null
  const mimeType = contentType(headers)
  if ('omitted' in body) return { mimeType, text: '', comment: bodyNotRetained }
  return 'text' in body
    ? { mimeType, text: body.text }
    : { mimeType, text: body.base64, _encoding: 'base64' }
}

function toContent({ headers, body }: ExchangedMessage, size: number): HarContent {
  const mimeType = contentType(headers)
  if (body === null) return { size, mimeType, text: '' }
  if ('omitted' in body) return { size, mimeType, comment: bodyNotRetained }
  return 'text' in body
    ? { size, mimeType, text: body.text }
    : { size, mimeType, text: body.base64, encoding: 'base64' }
}

function countBytes(body: ExchangedBody | null): number {
  if (body === null) return 0
  if ('omitted' in body) return body.omitted
  if ('text' in body) return utf8Length(body.text)
  const { base64 } = body
  return (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0)
}

function contentType(headers: ExchangedMessage['headers']): string {
  return findHeader(headers, 'content-type') ?? 'application/octet-stream'
}

function toQueryString(url: string): HarPair[] {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(url) ?? []
  return query === undefined ? [] : toPairs([...new URLSearchParams(query)])
}

function toPairs(entries: readonly (readonly [string, string])[]): HarPair[] {
  return entries.map(([name, value]) => ({ name, value }))
}

/** The cookies that stand in headers, by name and value. */
function parseCookies(
  headers: ExchangedMessage['headers'],
  header: 'cookie' | 'set-cookie',
): HarPair[] {
  return headers
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => (header === 'cookie' ? value.split(';') : [value.split(';')[0] ?? '']))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const at = text.indexOf('=')
      return at < 0
        ? { name: '', value: text }
        : { name: text.slice(0, at), value: text.slice(at + 1) }
    })
}

/** The value of the first header of a name, in small letters; undefined where there is none. */
function findHeader(headers: ExchangedMessage['headers'], name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1]
}
