import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { bytesToExchangedBody, type ExchangedBody } from '../../http/exchange.ts'

/** The largest body that is recorded, in bytes. */
export const maxCapturedBytes: number = 8 * 1024 * 1024

/** Collects a body while it passes through the proxy. A body that is too large is only counted. */
export class BodyCapture {
  #chunks: Buffer[] = []
  #length = 0

  /** The number of bytes that have passed. */
  get length(): number {
    return this.#length
  }

  /** Whether the body is small enough to be recorded. */
  get isComplete(): boolean {
    return this.#length <= maxCapturedBytes
  }

  /** The collected bytes. */
  get bytes(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length
    if (this.isComplete) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /**
   * Returns the body as it is recorded: decoded text, base64, or its length if it is too large.
   *
   * @param encoding the value of the header `content-encoding`
   */
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
