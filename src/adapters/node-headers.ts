import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHeaders } from '../http/call.ts'

/** The headers of a Node request. */
export class NodeHeaders implements RequestHeaders {
  readonly #headers: IncomingHttpHeaders
  #bytes: number | null = null

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }

  get bytes(): number {
    this.#bytes ??= bytesOf(this.#headers)
    return this.#bytes
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.#headers)) yield [name, this.get(name) ?? '']
  }

  /** Whether they are the same, name by name; never where one stands there several times. */
  areSame(headers: IncomingHttpHeaders): boolean {
    const own = this.#headers
    for (const name in headers) if (headers[name] !== own[name]) return false
    for (const name in own) if (headers[name] === undefined) return false
    return true
  }
}

/**
 * The headers of requests. Most clients send the same with each: then they are one object, and a journal of a thousand
 * requests does not keep them a thousand times.
 */
export class LatestHeaders {
  #latest: NodeHeaders | null = null

  of(headers: IncomingHttpHeaders): NodeHeaders {
    // A copy: theirs may be changed by whoever comes after us, and this one outlives its request.
    const known = this.#latest?.areSame(headers) ? this.#latest : new NodeHeaders({ ...headers })
    this.#latest = known
    return known
  }
}

function bytesOf(headers: IncomingHttpHeaders): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}
