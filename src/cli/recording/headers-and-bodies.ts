import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { bytesToExchangedBody, type ExchangedBody, type HeaderPair } from '../../http/exchange.ts'
import { escapeRegExp } from '../../utils/escape.ts'

export const maxCapturedBytes: number = 8 * 1024 * 1024

/** Collects a body while it passes through the proxy. A body that is too large is only counted. */
export class BodyCapture {
  #chunks: Buffer[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  get isComplete(): boolean {
    return this.#length <= maxCapturedBytes
  }

  get bytes(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length
    if (this.isComplete) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /** Returns the body as it is recorded: decoded text, base64, or its length if it is too large. */
  toExchangedBody(encoding: string | undefined): ExchangedBody | null {
    if (this.#length === 0) return null
    if (!this.isComplete) return { omitted: this.#length }
    const decoded = decodeContent(this.bytes, encoding)
    if (decoded === null) return { base64: this.bytes.toString('base64') }
    return decoded.length === 0 ? null : bytesToExchangedBody(decoded)
  }
}

/** Returns null for broken content and for unsupported encodings. */
function decodeContent(bytes: Buffer, encoding = ''): Buffer | null {
  const names = encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  try {
    return names.reduceRight((inner, name) => decode(inner, name), bytes)
  } catch {
    return null
  }
}

function decode(bytes: Buffer, name: string): Buffer {
  const limit = { maxOutputLength: maxCapturedBytes * 4 }
  if (name === 'gzip' || name === 'x-gzip') return gunzipSync(bytes, limit)
  if (name === 'br') return brotliDecompressSync(bytes, limit)
  if (name !== 'deflate') throw new Error(`Unsupported content encoding "${name}".`)
  // Some servers leave out the zlib header that the standard requires.
  return (bytes[0] as number) % 16 === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit)
}

/** Headers of a single connection (RFC 9110, 7.6.1), and `Expect`, which Node handles itself. */
const hopByHopHeaders =
  /^(connection|expect|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/i

/** Pairs up Node's raw headers: a name, its value, the next name. */
export function toHeaderPairs(raw: readonly string[]): HeaderPair[] {
  const pairs: HeaderPair[] = []
  for (let index = 0; index < raw.length; index += 2) {
    pairs.push([raw[index] as string, raw[index + 1] as string])
  }
  return pairs
}

/** Returns the headers of a request as the target receives them: without hop-by-hop headers, and with its own host. */
export function toTargetHeaders(pairs: readonly HeaderPair[], host: string): HeaderPair[] {
  const headers = withoutHopByHop(pairs).map(([name, value]): HeaderPair => {
    if (/^accept-encoding$/i.test(name)) return [name, limitEncodings(value)]
    return [name, /^host$/i.test(name) ? host : value]
  })
  return headers.some(([name]) => /^host$/i.test(name)) ? headers : [['Host', host], ...headers]
}

/** Returns the headers of a response as the client receives them: without hop-by-hop headers, and with rewritten links. */
export function toClientHeaders(
  pairs: readonly HeaderPair[],
  rewriteLinks: (text: string) => string,
): HeaderPair[] {
  return withoutHopByHop(pairs).map((pair) => {
    const [name, value] = pair
    return /^(?:content-location|link|location)$/i.test(name) ? [name, rewriteLinks(value)] : pair
  })
}

/** Replaces the headers that describe a body by those of an uncompressed text. */
export function withContentLength(pairs: readonly HeaderPair[], text: string): HeaderPair[] {
  const rest = pairs.filter(([name]) => !/^(?:content-length|content-encoding|etag)$/i.test(name))
  return [...rest, ['content-length', String(Buffer.byteLength(text))]]
}

export function hasRequestBody(headers: Readonly<Record<string, unknown>>): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Replaces the URL of a target by that of the proxy, also in JSON, where slashes may be escaped. */
export function createLinkRewriter(target: string, proxyUrl: string): (text: string) => string {
  const escapedTarget = target.replaceAll('/', '\\/')
  const pattern = new RegExp(
    `(?:${escapeRegExp(target)}|${escapeRegExp(escapedTarget)})(?=[/?#"'\\\\<>\\s]|$)`,
    'g',
  )
  return (text) =>
    text.replace(pattern, (match) =>
      match === target ? proxyUrl : proxyUrl.replaceAll('/', '\\/'),
    )
}

function withoutHopByHop(pairs: readonly HeaderPair[]): HeaderPair[] {
  const named = pairs
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.split(',').map((header) => header.trim().toLowerCase()))
  return pairs.filter(
    ([name]) => !hopByHopHeaders.test(name) && !named.includes(name.toLowerCase()),
  )
}

/** Removes encodings that cannot be decoded, because such a response could not be recorded. */
function limitEncodings(accepted: string): string {
  const supported = accepted
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => /^(gzip|deflate|br|identity|\*)\s*(;|$)/i.test(encoding))
  return supported.length === 0 ? 'identity' : supported.join(', ')
}
