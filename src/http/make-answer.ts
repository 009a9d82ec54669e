import { PageWire, type Wire } from '../wire.ts'
import type { Answer } from './call.ts'
import type { Streamed } from './streamed.ts'

/** An answer that has a body of JSON. */
export function json(
  status: number,
  wire: Wire<unknown>,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return new JsonAnswer(status, wire, headers)
}

/** The headers of JSON. */
class JsonHeaders {
  readonly 'content-type' = 'application/json'
  readonly 'content-length': string

  constructor(bytes: number) {
    this['content-length'] = String(bytes)
  }
}

/** Classes, as journals keep them: see `Draft`. */
class JsonAnswer implements Answer {
  readonly status: number
  readonly headers: Answer['headers']
  readonly text: string
  readonly ascii: boolean
  readonly page: PageWire<unknown> | undefined

  constructor(status: number, wire: Wire<unknown>, headers: Answer['headers'] | undefined) {
    const { text, bytes } = wire
    const own = new JsonHeaders(bytes) as unknown as Answer['headers']
    this.status = status
    this.headers = headers ? { ...own, ...headers } : own
    this.text = text
    this.ascii = bytes === text.length
    this.page = wire instanceof PageWire ? wire : undefined
  }
}

/** An answer that is sent piece by piece, of a length that nobody knows, and never from a cache. */
export function streamed(status: number, { type, pieces }: Streamed<unknown>): Answer {
  const headers = { 'content-type': type, 'cache-control': 'no-store' }
  return { status, headers, text: '', ascii: true, stream: pieces }
}

/** An answer without a body. */
export function empty(status: number, headers: Record<string, string>): Answer {
  const length = status === 204 ? {} : { 'content-length': '0' }
  return { status, headers: { ...headers, ...length }, text: '', ascii: true }
}

/** An answer that is a page of HTML, as proxies send for errors. */
export function page(status: number, headers: Record<string, string>): Answer {
  const text = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
  const all = {
    'content-type': 'text/html',
    ...headers,
    'content-length': String(text.length),
  }
  return { status, headers: all, text, ascii: true }
}
