/**
 * Whether Python's `str.isspace()` says so of this character: JavaScript's `\s` with the four
 * separators U+001C to U+001F and U+0085, but without U+FEFF (observed §4, `content`).
 *
 * @example
 * isWhiteSpace('\x85') // true
 */
export function isWhiteSpace(character: string): boolean {
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
