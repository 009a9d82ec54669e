import { JsonParseError } from './parse-json.ts'

/**
 * Python's `bytes.decode('utf-8')`: the text, its BOM kept, or Python's complaint (observed §1,
 * malformed JSON). Positions count bytes.
 *
 * @example
 * decodeUtf8(Uint8Array.of(0x61, 0xc3, 0xa9)) // 'aé'
 * decodeUtf8(Uint8Array.of(0xff)) // JsonError: 'utf-8' codec can't decode byte 0xff in position 0: …
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decode(bytes, false)
}

/**
 * The same, for a request body (observed §1, malformed JSON).
 *
 * @note Django REST Framework reads bodies through Python's stream reader, which waits for the rest
 * of a character cut off at the very end, and so drops it without a word.
 *
 * @example
 * decodeUtf8Body(Uint8Array.of(0x7b, 0x7d, 0xc3)) // '{}'
 */
export function decodeUtf8Body(bytes: Uint8Array): string {
  return decode(bytes, true)
}

// Whole texts leave no trace in it; for a stream each text needs its own.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array, stream: boolean): string {
  if (!endsInMultibyte(bytes)) return decodeBy(strictDecoder, bytes, false)
  return decodeBy(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes, stream)
}

/** Whether the last byte is not a character of its own, as in most bodies it is. */
function endsInMultibyte(bytes: Uint8Array): boolean {
  return (bytes.at(-1) ?? 0) > 0x7f
}

function decodeBy(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream })
  } catch (error) {
    const complaint = findDecodeError(bytes)
    throw complaint ? new JsonParseError(complaint) : error
  }
}

function findDecodeError(bytes: Uint8Array): string | undefined {
  let at = 0
  while (at < bytes.length) {
    const size = sequenceLength(bytes[at])
    if (size === 0) return decodeErrorMessage(bytes, at, 1, 'invalid start byte')

    const good = validLength(bytes, at, size)
    if (good < size) {
      const ended = at + good === bytes.length
      const reason = ended ? 'unexpected end of data' : 'invalid continuation byte'
      return decodeErrorMessage(bytes, at, good, reason)
    }
    at += size
  }
  return undefined
}

function decodeErrorMessage(bytes: Uint8Array, at: number, count: number, reason: string): string {
  const where =
    count === 1
      ? `byte 0x${bytes[at]?.toString(16).padStart(2, '0')} in position ${at}`
      : `bytes in position ${at}-${at + count - 1}`
  return `'utf-8' codec can't decode ${where}: ${reason}`
}

/** How many bytes a character takes that starts with this one; 0 when none does. */
function sequenceLength(lead = 0): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}

/** How many of the `size` bytes at `at` belong together. */
function validLength(bytes: Uint8Array, at: number, size: number): number {
  let good = 1
  while (good < size && isContinuation(bytes[at] ?? 0, bytes[at + good] ?? 0, good)) good += 1
  return good
}

/** The second byte has less room after some first bytes: no long forms, surrogates, or beyond. */
function isContinuation(lead: number, byte: number, index: number): boolean {
  const lowest = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const highest = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  return byte >= lowest && byte <= highest
}
