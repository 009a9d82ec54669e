import { PageWire, type Wire } from '../wire.ts'
import type { Answer } from './call.ts'
import type { Streamed } from './streamed.ts'

/** An answer that has a body of JSON. */
export function json(
  status: number,
  wire: Wire<unknown>,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const { text, bytes } = wire
  const own = { 'content-type': 'application/json', 'content-length': String(bytes) }
  return {
    status,
    headers: headers ? { ...own, ...headers } : own,
    text,
    ascii: bytes === text.length,
    pieces: wire instanceof PageWire ? wire.pieces : undefined,
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
