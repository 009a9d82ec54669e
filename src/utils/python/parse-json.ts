import { jsonLevels } from '../json.ts'
import { checkJson, constants, JsonParseError, rejectConstant } from './check-json.ts'
import { numberTokenToString } from './text.ts'

/** How deep lists and objects can be nested: Python's recursion limit. */
export const maxDepth = 1000

/** Numbers that Python does not print as JavaScript does, or that only Python parses. Most bodies have none. */
const unusualNumber = /(?:^|[:[,\s])-?(?:[0-9]+[.eE]|[0-9]{16}|NaN|Infinity)/

interface ParsedJson {
  readonly value: unknown
  /** Python's `str()` of the numbers in the outermost object, by field, if one of them is unusual. */
  readonly numbers?: ReadonlyMap<string, string>
}

/**
 * Parses JSON as the service does.
 *
 * @note Python has a recursion limit, JSON.parse has none. Where Python crashes (a 500 of the service), this function
 * throws an error with the message of that crash, because storing such a value would overflow the stack later.
 *
 * @param onConstant called with `NaN`, `Infinity` or `-Infinity`; NaN becomes Infinity. By default it throws
 * @throws JsonParseError with the message of Python 3.11
 */
export function parseJson(
  text: string,
  onConstant: typeof rejectConstant = rejectConstant,
): ParsedJson {
  const parsed = unusualNumber.test(text) ? parseNumbers(text, onConstant) : { value: parse(text) }
  if (text.length > maxDepth) checkDepth(parsed.value)
  return parsed
}

function parseNumbers(text: string, onConstant: typeof rejectConstant): ParsedJson {
  const numbers = new Map<string, string>()
  let [json, copied] = ['', 0]
  checkJson(text, (token, start, field) => {
    const constant = constants[token]
    if (constant !== undefined) {
      onConstant(token)
      json += `${text.slice(copied, start)}${token === '-Infinity' ? '-1e999' : '1e999'}`
      copied = start + token.length
    }
    if (field !== undefined) numbers.set(field, constant ?? numberTokenToString(token))
  })
  return { value: parse(json + text.slice(copied)), numbers }
}

function checkDepth(value: unknown): void {
  let depth = 0
  for (const level of jsonLevels(value)) {
    depth += 1
    if (depth <= maxDepth) continue
    const container = level.find((item) => typeof item === 'object' && item !== null)
    if (container !== undefined) throw depthError(Array.isArray(container) ? 'array' : 'object')
  }
}

function depthError(container: 'array' | 'object'): JsonParseError {
  return new JsonParseError(
    `maximum recursion depth exceeded while decoding a JSON ${container} from a unicode string`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    checkJson(text)
    // The text is valid, so the engine gave up on its depth. Python would have given up earlier.
    throw depthError('array')
  }
}

/** Reused for complete texts, after which a decoder keeps no state. */
const completeDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes a request body as Django REST Framework does: a byte order mark is kept, and a character that is cut off at
 * the very end is dropped silently, because Python's stream reader waits for the rest of it.
 *
 * @param offset the position of the first byte in the body
 * @throws JsonParseError for invalid bytes, with the message of Python's `bytes.decode('utf-8')`
 */
export function decodeUtf8Body(bytes: Uint8Array, offset = 0): string {
  const endsInAscii = (bytes.at(-1) ?? 0) < 0x80
  try {
    return endsInAscii
      ? completeDecoder.decode(bytes)
      : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch (error) {
    const message = findDecodeError(bytes, offset)
    throw message === undefined ? error : new JsonParseError(message)
  }
}

function findDecodeError(bytes: Uint8Array, offset: number): string | undefined {
  let at = 0
  while (at < bytes.length) {
    const size = sequenceLength(bytes[at])
    if (size === 0) return decodeErrorMessage(bytes, [at, 1], offset, 'invalid start byte')
    const valid = validLength(bytes, at, size)
    if (valid < size) {
      return decodeErrorMessage(bytes, [at, valid], offset, 'invalid continuation byte')
    }
    at += size
  }
  return undefined
}

/** Positions count bytes. */
function decodeErrorMessage(
  bytes: Uint8Array,
  [at, count]: readonly [at: number, count: number],
  offset: number,
  reason: string,
): string {
  const position = at + offset
  const place =
    count === 1
      ? `byte 0x${bytes[at]?.toString(16).padStart(2, '0')} in position ${position}`
      : `bytes in position ${position}-${position + count - 1}`
  return `'utf-8' codec can't decode ${place}: ${reason}`
}

/** Returns how many bytes a character takes, by its first byte; 0 for an invalid first byte. */
function sequenceLength(lead = 0): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}

/** Returns how many of the `size` bytes of a character are valid, from its first byte on. */
function validLength(bytes: Uint8Array, at: number, size: number): number {
  let length = 1
  while (length < size && isContinuation(bytes[at] ?? 0, bytes[at + length] ?? 0, length)) {
    length += 1
  }
  return length
}

/** The range of the second byte is narrower after some first bytes: no overlong forms, no surrogates. */
function isContinuation(lead: number, byte: number, index: number): boolean {
  const lowest = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const highest = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  return byte >= lowest && byte <= highest
}
