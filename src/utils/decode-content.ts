import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** The most bytes that a decoded body has. A small body can stand for gigabytes. */
const limit = { maxOutputLength: 32 * 1024 * 1024 }

/**
 * Decodes a body that a server compressed. Null for broken content, for more than 32 MiB, and for unsupported encodings.
 *
 * @param encoding the header `content-encoding`
 */
export function decodeContent(bytes: Uint8Array, encoding?: string): Uint8Array | null {
  try {
    return encodingsOf(encoding).reduce(
      (inner, name) => decoderOf(inner, name)(inner, limit),
      bytes,
    )
  } catch {
    return null
  }
}

/** The encodings of a header, the outermost first. */
function encodingsOf(header = '') {
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity').reverse()
}

function decoderOf(bytes: Uint8Array, name: string) {
  if (name === 'gzip' || name === 'x-gzip') return gunzipSync
  if (name === 'br') return brotliDecompressSync
  // Some servers leave out the zlib header that the standard requires.
  if (name === 'deflate') return (bytes[0] as number) % 16 === 8 ? inflateSync : inflateRawSync
  throw new Error(`Unsupported content encoding "${name}".`)
}
