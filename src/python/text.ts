import { isPythonInt } from './number.ts'
import { repr } from './repr.ts'
import { isWhiteSpace } from './white-space.ts'

/**
 * Python's `str()` of a JSON value, as error messages show it (observed §4, `"x" is not a valid
 * choice.`).
 *
 * @example
 * toText(true) // 'True'
 * toText({ tags: ['it', null] }) // "{'tags': ['it', None]}"
 */
export function toPythonString(value: unknown): string {
  return typeof value === 'string' ? value : repr(value)
}

/**
 * Python's name for the type of a JSON value (observed §4, `Expected pk value, received str.`).
 *
 * @note JSON.parse keeps no trace of a `.0` or an exponent: `1.0`, a `float` in Python, is an `int`
 * here, and `toText` writes it without the `.0`.
 *
 * @example
 * typeName(['a']) // 'list'
 */
export function pythonTypeName(value: unknown): string {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return isPythonInt(value) ? 'int' : 'float'
  if (Array.isArray(value)) return 'list'
  return value === null || value === undefined ? 'NoneType' : 'dict'
}

/**
 * Python's `str.strip()`: the text without the white space around it (observed §4, `content`).
 *
 * @example
 * stripText('\x85 Release 1.0\n') // 'Release 1.0'
 */
export function stripWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charAt(start))) start += 1
  while (end > start && isWhiteSpace(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/**
 * Python's `str.split()`: the words between white space (observed §4.1, `search`).
 *
 * @example
 * splitText(' release\u2028 1.0 ') // ['release', '1.0']
 */
export function splitWords(text: string): string[] {
  const words: string[] = ['']
  for (const character of text) {
    if (!isWhiteSpace(character)) words.push(`${words.pop()}${character}`)
    else if (words.at(-1) !== '') words.push('')
  }
  return words.filter((word) => word !== '')
}

/**
 * Python's `len()` of a text: its code points (observed §4, `content` ≤ 400 characters).
 *
 * @example
 * lengthOf('🦔') // 1
 */
export function countCodePoints(text: string): number {
  let pairs = 0
  for (let at = 1; at < text.length; at += 1) {
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) pairs += 1
  }
  return text.length - pairs
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
