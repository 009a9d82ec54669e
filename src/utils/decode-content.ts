import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** The most bytes that a decoded body has. A small body can stand for gigabytes. */
const maxOutputLength = 32 * 1024 * 1024

/**
 * Decodes a body that a server compressed. Null for broken content, for more than 32 MiB, and for unsupported encodings.
 *
 * @param encoding the header `content-encoding`
 */
export function decodeContent(bytes: Uint8Array, encoding: string = ''): Uint8Array | null {
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

function decode(bytes: Uint8Array, name: string): Uint8Array {
  const limit = { maxOutputLength }
  if (name === 'gzip' || name === 'x-gzip') return gunzipSync(bytes, limit)
  if (name === 'br') return brotliDecompressSync(bytes, limit)
  if (name !== 'deflate') throw new Error(`Unsupported content encoding "${name}".`)
  // Some servers leave out the zlib header that the standard requires.
  return (bytes[0] as number) % 16 === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit)
}
