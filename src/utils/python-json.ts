import { isDeeperThan, type ParsedJson } from './json.ts'
import { countCodePoints, numberTokenToString } from './python.ts'

/** How deep lists and objects can be nested: Python's recursion limit. */
const maxDepth = 1000

/**
 * Invalid JSON. The message is Python's own, with the place in code points; the service puts `JSON parse error - ` in
 * front of it.
 */
export class JsonParseError extends Error {
  override readonly name = 'JsonParseError'
  /** Where the text is wrong, if it is at a place */
  readonly index: number | null

  constructor(message: string, index: number | null = null) {
    super(message)
    this.index = index
  }
}

interface PythonJson extends ParsedJson {
  /** Python's `str()` of the numbers in the outermost object, by field, if one of them is unusual. */
  readonly numbers?: ReadonlyMap<string, string>
}

/** Numbers that Python does not print as JavaScript does, or that only Python parses. Most bodies have none. */
const unusualNumber = /(?:^|[[,]|"\s*:)\s*-?(?:[0-9]+[.eE]|[0-9]{16}|NaN|Infinity)/

/**
 * Parses JSON as the service does.
 *
 * @param onConstant called with `NaN`, `Infinity` or `-Infinity`; NaN becomes Infinity. By default it throws
 * @throws JsonParseError with the message of Python 3.11
 */
export function parseJson(
  text: string,
  onConstant: typeof rejectConstant = rejectConstant,
): PythonJson {
  const parsed = unusualNumber.test(text) ? parseNumbers(text, onConstant) : { value: parse(text) }
  if (text.length > maxDepth && isDeeperThan(maxDepth, parsed.value)) throw tooDeep()
  return parsed
}

function tooDeep() {
  return new JsonParseError('maximum recursion depth exceeded')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    checkJson(text)
    throw error
  }
}

function parseNumbers(text: string, onConstant: typeof rejectConstant): PythonJson {
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
  return { value: JSON.parse(json + text.slice(copied)), numbers }
}

/** The numbers that only Python's parser accepts, and their `str()`. */
const constants: Readonly<Record<string, string>> = {
  NaN: 'nan',
  Infinity: 'inf',
  '-Infinity': '-inf',
}

/** Django REST Framework rejects the constants by name, unless it is set up otherwise. */
export function rejectConstant(token: string): void {
  if (constants[token] === undefined) return
  throw new JsonParseError(`Out of range float values are not JSON compliant: '${token}'`)
}

/** Where the first error of a text is. Null if there is none, or none at a place */
export function indexOfError(text: string): number | null {
  try {
    checkJson(text, (token, start) => {
      if (constants[token] !== undefined) throw errorAt(text, start, 'Expecting value')
    })
    return null
  } catch (error) {
    return (error as JsonParseError).index
  }
}

/** Called for each number and constant. @param field the name, for a value of the outermost object */
type OnNumber = (token: string, start: number, field: string | undefined) => void

/**
 * Checks a JSON text by the rules of Python's parser.
 *
 * @param onNumber decides about `NaN`, `Infinity` and `-Infinity`, too. By default they are errors
 * @throws JsonParseError for the first error in the text
 */
function checkJson(text: string, onNumber: OnNumber = rejectConstant) {
  if (text.startsWith('\ufeff')) {
    throw errorAt(text, 0, 'Unexpected UTF-8 BOM (decode using utf-8-sig)')
  }
  const end = skipSpace(text, endOfValue(text, skipSpace(text, 0), 0, onNumber))
  if (end < text.length) throw errorAt(text, end, 'Extra data')
}

/** @param depth how many lists and objects are around the value */
function endOfValue(text: string, at: number, depth: number, onNumber: OnNumber, field?: string) {
  if (depth > maxDepth) throw tooDeep()
  if (text[at] === '{' || text[at] === '[') return endOfContainer(text, at, depth, onNumber)
  if (text[at] === '"') return endOfString(text, at)
  const word = ['null', 'true', 'false'].find((known) => text.startsWith(known, at))
  if (word) return at + word.length
  // In `01`, `1.` and `1e` the number ends after the first digit, and the rest is an error of its own.
  const number = /-?(?:Infinity|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|NaN/y
  number.lastIndex = at
  const [token] = number.exec(text) ?? []
  if (token === undefined) throw errorAt(text, at, 'Expecting value')
  onNumber(token, at, field)
  return at + token.length
}

/** Returns the end of a list or an object. Only the names of the outermost object are needed. */
function endOfContainer(text: string, start: number, depth: number, onNumber: OnNumber) {
  const isObject = text[start] === '{'
  const close = isObject ? '}' : ']'
  let at = skipSpace(text, start + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    let name: string | undefined
    if (isObject) {
      if (text[at] !== '"') {
        throw errorAt(text, at, 'Expecting property name enclosed in double quotes')
      }
      const endOfName = endOfString(text, at)
      if (depth === 0) name = JSON.parse(text.slice(at, endOfName))
      const colon = skipSpace(text, endOfName)
      if (text[colon] !== ':') throw errorAt(text, colon, "Expecting ':' delimiter")
      at = skipSpace(text, colon + 1)
    }
    at = skipSpace(text, endOfValue(text, at, depth + 1, onNumber, name))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throw errorAt(text, at, "Expecting ',' delimiter")
    at = skipSpace(text, at + 1)
  }
}

function endOfString(text: string, start: number) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1
    if (text[at] === '\\') at += escapeLength(text, at, start)
    else if (text.charCodeAt(at) < 0x20) throw errorAt(text, at, 'Invalid control character at')
  }
  throw errorAt(text, start, 'Unterminated string starting at', text.length)
}

/** Returns how many characters of an escape sequence follow the backslash at an index. */
function escapeLength(text: string, at: number, start: number): number {
  const letter = text[at + 1]
  if (letter === undefined)
    throw errorAt(text, start, 'Unterminated string starting at', text.length)
  if (letter !== 'u') {
    if ('"\\/bfnrt'.includes(letter)) return 1
    throw errorAt(text, at, 'Invalid \\escape')
  }
  // Python requires at least one character after the four digits, such as the closing quote.
  const complete = at + 6 < text.length && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))
  if (!complete) throw errorAt(text, at + 1, 'Invalid \\uXXXX escape')
  return 5
}

function skipSpace(text: string, from: number) {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

/** Creates an error with the place of a character, in code points. @param found where the text is wrong, if Python says another */
function errorAt(text: string, index: number, what: string, found = index) {
  const before = text.slice(0, index)
  const lines = before.split('\n')
  const column = countCodePoints(lines.at(-1) ?? '') + 1
  const position = `line ${lines.length} column ${column} (char ${countCodePoints(before)})`
  return new JsonParseError(`${what}: ${position}`, found)
}

/**
 * Decodes a request body as Django REST Framework does: a byte order mark is kept, and a character that is cut off at
 * the very end is dropped silently, because Python's stream reader waits for the rest of it.
 *
 * @throws JsonParseError for invalid bytes, with the message of Python's `bytes.decode('utf-8')`
 */
export function decodeUtf8Body(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return decodeCutBody(bytes)
  }
}

/** It decodes whole texts, and keeps nothing. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a text whose last character can be cut off. @throws JsonParseError */
function decodeCutBody(bytes: Uint8Array) {
  const text = decodeStart(bytes)
  if (text !== undefined) return text
  // The longest start that is valid, and the first byte of the character that is not.
  let [low, high] = [0, bytes.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (decodeStart(bytes.subarray(0, middle + 1)) === undefined) high = middle
    else low = middle + 1
  }
  const at = new TextEncoder().encode(decodeStart(bytes.subarray(0, low))).length
  const byte = bytes[at] as number
  const kind = byte >= 0xc2 && byte < 0xf5 ? 'continuation' : 'start'
  throw new JsonParseError(
    `'utf-8' codec can't decode byte 0x${byte.toString(16)} in position ${at}: invalid ${kind} byte`,
  )
}

/** Decodes text that can end within a character. Undefined for invalid bytes. */
function decodeStart(bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}
