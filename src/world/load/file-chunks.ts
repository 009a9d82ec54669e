import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** In bytes. A byte order mark, which some editors write, is in the first chunk. */
const chunkSize = 1_048_576

const byteOrderMark = [0xef, 0xbb, 0xbf]
const gzipMark = [0x1f, 0x8b]

/**
 * Reads a file or a pipe in chunks, without its byte order mark. What gzip compressed, whatever its name is, is
 * decompressed. Each chunk is valid until the next one is read.
 *
 * @param onRead called now and then with the number of bytes that were read, and the size of the file
 */
export async function* readChunks(
  path: string,
  onRead?: (bytes: number, of: number) => void,
): AsyncGenerator<Uint8Array, undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.allocUnsafeSlow(chunkSize)
    const first = await readChunk(file, buffer)
    const isCompressed = startsWith(first, gzipMark)
    // A stream may still have the chunk before.
    const next = () => readChunk(file, isCompressed ? undefined : buffer)
    const chunks = readOn(first, next, (bytes) => onRead?.(bytes, size))
    let isFirst = true
    for await (const chunk of isCompressed ? decompress(chunks) : chunks) {
      const hasMark = isFirst && startsWith(chunk, byteOrderMark)
      yield hasMark ? chunk.subarray(byteOrderMark.length) : chunk
      isFirst = false
    }
  } finally {
    await file.close()
  }
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

async function readChunk(
  file: FileHandle,
  buffer: Uint8Array = Buffer.allocUnsafeSlow(chunkSize),
): Promise<Uint8Array> {
  const { bytesRead } = await file.read(buffer)
  return buffer.subarray(0, bytesRead)
}

async function* readOn(
  first: Uint8Array,
  next: () => Promise<Uint8Array>,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array, undefined> {
  let bytes = 0
  for (let chunk = first; chunk.length > 0; chunk = await next()) {
    yield chunk
    bytes += chunk.length
    report(bytes)
  }
}

function decompress(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // The callback gets errors, too, but the reader of the stream throws them.
  return pipeline(chunks, createGunzip({ chunkSize }), () => {})
}
