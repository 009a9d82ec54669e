import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { ExchangedBody } from '../../http/exchange.ts'

/** The most bytes of a body that are recorded. */
export const maxCapturedBytes: number = 8 * 1024 * 1024

/** A body as it goes by: what is larger than can be recorded is counted only. */
export class BodyCapture {
  #chunks: Buffer[] = []
  #length = 0

  /** How many bytes have gone by. */
  get length(): number {
    return this.#length
  }

  /** Whether all of it is here. */
  get isComplete(): boolean {
    return this.#length <= maxCapturedBytes
  }

  /** What has gone by, as far as it is here. */
  get bytes(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length
    if (this.isComplete) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /**
   * What is recorded of it.
   *
   * @param encoding the value of its header `content-encoding`
   */
  toExchangedBody(encoding: string | undefined): ExchangedBody | null {
    if (this.#length === 0) return null
    if (!this.isComplete) return { omitted: this.#length }
    const decoded = decodeContent(this.bytes, encoding)
    const text = decoded && decodeUtf8(decoded)
    if (text === '') return null
    return text === null ? { base64: (decoded ?? this.bytes).toString('base64') } : { text }
  }
}

/** Null for an encoding that is not read, or broken. */
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
  if (name !== 'deflate') throw new Error(`Failed to read ${name}: expected gzip, deflate or br.`)
  // Some servers leave out the frame that the standard asks for.
  return (bytes[0] as number) % 16 === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
