import { version } from '../version.ts'
import type { JournalEntry } from './entry.ts'
import type { Rendered } from './renderer.ts'

/** An archive of requests in the format HAR 1.2, which browsers and proxies read. */
export type Har = {
  log: {
    version: '1.2'
    creator: { name: string; version: string }
    entries: HarEntry[]
  }
}

type NameAndValue = {
  name: string
  value: string
}

// A type, not an interface: the format lets anybody add fields, which the types of others ask for.
type HarEntry = {
  startedDateTime: string
  time: number
  request: HarMessage & {
    method: string
    url: string
    queryString: NameAndValue[]
    postData?: { mimeType: string; text: string; comment?: string }
  }
  response: HarMessage & {
    status: number
    statusText: string
    content: { size: number; mimeType: string; text: string; comment?: string }
    redirectURL: string
  }
  cache: Record<string, never>
  timings: { send: number; wait: number; receive: number }
  /** The id of the entry, its operation and its fault */
  comment: string
}

type HarMessage = {
  httpVersion: string
  cookies: never[]
  headers: NameAndValue[]
  headersSize: number
  bodySize: number
}

/**
 * Entries as an archive.
 *
 * @param origin of addresses whose requests do not tell their host
 */
export function toHar(rendered: readonly Rendered[], origin: string): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'understudy-api', version },
      entries: rendered.map((one) => entryOf(one, origin)),
    },
  }
}

const notKept = 'larger than the journal keeps'

function entryOf({ entry, request, answer, query }: Rendered, origin: string): HarEntry {
  const { path, ms } = entry
  const { host } = entry.request.headers
  const base = host === undefined ? origin : `http://${host}`
  const type = entry.request.headers['content-type'] ?? 'application/octet-stream'
  const noted = { ...(entry.request.omitted && { comment: notKept }) }
  return {
    startedDateTime: entry.at,
    time: ms,
    request: {
      ...messageOf(entry.request),
      method: entry.method,
      url: `${base}${path}${query === '' ? '' : `?${query}`}`,
      queryString: pairs(new URLSearchParams(query)),
      ...(entry.request.bytes > 0 && {
        postData: { mimeType: type, text: request.text, ...noted },
      }),
    },
    response: {
      ...messageOf(entry.answer),
      status: entry.answer.status,
      statusText: '',
      content: {
        size: entry.answer.bytes,
        mimeType: entry.answer.headers['content-type'] ?? 'application/octet-stream',
        text: answer.text,
        ...(entry.answer.omitted && { comment: notKept }),
      },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    comment: commentOf(entry),
  }
}

function messageOf({ headers, bytes }: JournalEntry['request']): HarMessage {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(headers)),
    headersSize: -1,
    bodySize: bytes,
  }
}

function pairs(entries: Iterable<[string, string]>): NameAndValue[] {
  return [...entries].map(([name, value]) => ({ name, value }))
}

function commentOf({ id, operation, fault }: JournalEntry): string {
  const disturbed = fault ? `, disturbed by ${fault.id} (${fault.phase})` : ''
  return `entry ${id}: ${operation ?? 'no operation'}${disturbed}`
}
