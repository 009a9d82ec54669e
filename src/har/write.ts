import type { Exchange, ExchangedBody, SentMessage } from '../recordings/exchange.ts'
import { version } from '../version.ts'
import { utf8Length } from '../wire.ts'
import type { Har, HarContent, HarEntry, HarMessage, HarPair, HarPostData } from './archive.ts'
import { cookiesIn } from './cookies.ts'
import { headerOf } from './headers.ts'

/** Requests and their answers as an archive. @example await writeFile('run.har', JSON.stringify(harOf(exchanges))) */
export function harOf(exchanges: Iterable<Exchange>): Har {
  return archiveOf(Array.from(exchanges, (exchange) => harEntryOf(exchange)))
}

/** Entries as an archive. */
export function archiveOf(entries: HarEntry[]): Har {
  const creator = { name: 'understudy-api', version }
  return { log: { version: '1.2', creator, entries } }
}

/**
 * One request and its answer as an entry.
 *
 * @param comment what is to be known of it besides
 */
export function harEntryOf(
  { at, ms, method, url, key, request, answer }: Exchange,
  comment?: string,
): HarEntry {
  const postData = postDataOf(request)
  const heard = messageOf(answer, 'set-cookie')
  // What is copied stands last: fields that are added to a copy are many times slower.
  const entry: HarEntry = {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url: url.split('#')[0] as string,
      queryString: queryOf(url),
      ...messageOf(request, 'cookie'),
    },
    response: {
      status: answer.status,
      statusText: '',
      content: contentOf(answer, heard.bodySize),
      redirectURL: headerOf(answer.headers, 'location') ?? '',
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

const notKept = 'this body was not kept'

function messageOf({ headers, body }: SentMessage, cookies: 'cookie' | 'set-cookie'): HarMessage {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: cookiesIn(headers, cookies),
    headers: pairs(headers),
    headersSize: -1,
    bodySize: bytesOf(body),
  }
}

function postDataOf({ headers, body }: SentMessage): HarPostData | null {
  if (body === null) return null
  const mimeType = typeOf(headers)
  if ('omitted' in body) return { mimeType, text: '', comment: notKept }
  return 'text' in body
    ? { mimeType, text: body.text }
    : { mimeType, text: body.base64, _encoding: 'base64' }
}

function contentOf({ headers, body }: SentMessage, size: number): HarContent {
  const mimeType = typeOf(headers)
  if (body === null) return { size, mimeType, text: '' }
  if ('omitted' in body) return { size, mimeType, comment: notKept }
  return 'text' in body
    ? { size, mimeType, text: body.text }
    : { size, mimeType, text: body.base64, encoding: 'base64' }
}

function bytesOf(body: ExchangedBody | null): number {
  if (body === null) return 0
  if ('omitted' in body) return body.omitted
  if ('text' in body) return utf8Length(body.text)
  const { base64 } = body
  return (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0)
}

function typeOf(headers: SentMessage['headers']): string {
  return headerOf(headers, 'content-type') ?? 'application/octet-stream'
}

function queryOf(url: string): HarPair[] {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(url) ?? []
  return query === undefined ? [] : pairs([...new URLSearchParams(query)])
}

function pairs(entries: readonly (readonly [string, string])[]): HarPair[] {
  return entries.map(([name, value]) => ({ name, value }))
}
