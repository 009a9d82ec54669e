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

type ReprStep = { readonly print: string } | { readonly show: unknown }

/**
 * Python's `repr()` of a JSON value (observed §4). Keeps its own list of what is left to write, so
 * that no depth of nesting overflows the stack.
 *
 * @example
 * repr([true, "it's"]) // '[True, "it\'s"]'
 */
function repr(value: unknown): string {
  const written: string[] = []
  const left: ReprStep[] = [{ show: value }]
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    if ('print' in step) written.push(step.print)
    else if (typeof step.show !== 'object' || step.show === null) written.push(scalar(step.show))
    else for (const part of parts(step.show).reverse()) left.push(part)
  }
  return written.join('')
}

function parts(value: object): ReprStep[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item): ReprStep[] => [{ print: ', ' }, { show: item }])
    return [{ print: '[' }, ...items.slice(1), { print: ']' }]
  }
  const entries = Object.entries(value).flatMap(([key, item]): ReprStep[] => [
    { print: ', ' },
    { print: `${quote(key)}: ` },
    { show: item },
  ])
  return [{ print: '{' }, ...entries.slice(1), { print: '}' }]
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return 'None'
}

/** In single quotes, unless that would need an escape that double quotes would not. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\'"\p{C}\p{Z}]/gu, (character) => escapeSequence(character, mark))
  return mark + escaped + mark
}

function escapeSequence(character: string, mark: string): string {
  if (character === '\\' || character === mark) return `\\${character}`
  if (character === ' ' || character === "'" || character === '"') return character
  if (character === '\n') return '\\n'
  if (character === '\r') return '\\r'
  if (character === '\t') return '\\t'

  const code = (character.codePointAt(0) ?? 0).toString(16)
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`
}

/**
 * Whether Python would have read this number as an `int`. From 1e21 on JavaScript itself writes an
 * exponent, and so most likely did who sent it: that is a `float` (observed §4).
 *
 * @example
 * isInteger(1e21) // false
 */
function isPythonInt(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e21
}

/**
 * Python's `repr()` of a number (observed §4, numbers become text).
 *
 * @note Of an integer beyond 2^53 only JavaScript's nearest number is left to write.
 *
 * @example
 * numberText(0.00001) // '1e-05'
 */
function numberRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (isPythonInt(value)) return String(value)

  const size = Math.abs(value)
  if (size >= 1e-4 && size < 1e16) return String(value)
  return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0')
}

/**
 * Whether Python's `str.isspace()` says so of this character: JavaScript's `\s` with the four
 * separators U+001C to U+001F and U+0085, but without U+FEFF (observed §4, `content`).
 *
 * @example
 * isWhiteSpace('\x85') // true
 */
function isWhiteSpace(character: string): boolean {
  if (isSeparator(character) || character === '\x85') return true
  return character !== '\ufeff' && /^\s$/.test(character)
}

/**
 * Whether a character is one of the separators U+001C to U+001F, which `str.strip()` strips and
 * `int()` does not (observed §3).
 *
 * @example
 * isSeparator('\x1c') // true
 */
export function isSeparator(character: string): boolean {
  return character >= '\x1c' && character <= '\x1f' && character.length === 1
}
