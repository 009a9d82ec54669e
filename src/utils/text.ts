/** Orders texts by their code units, whatever the language. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Formats a number of things. @example formatCount(2, 'entry') // '2 entries' */
export function formatCount(
  count: number,
  singular: string,
  plural: string = `${singular.replace(/(?<![aeiou])y$/, 'ie')}s`,
): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/**
 * The first items of a list, and how many more it has.
 */
export function shortList(
  items: readonly string[],
  length: number,
  describeRest: (rest: number) => string = (rest) => `and ${rest} more`,
): string[] {
  const rest = items.length - length
  return rest > 0 ? [...items.slice(0, length), describeRest(rest)] : [...items]
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string)
}

/**
 * Escapes what can forge or hide text in a log or a terminal, as in JSON: line breaks, other control characters such as
 * ESC, and marks that change the direction of text.
 */
export function escapeControls(text: string): string {
  // Nearly every text, and to look for a property of Unicode takes longer.
  if (/^[ -~]*$/.test(text)) return text
  return text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Quotes a word for a POSIX shell, if it needs quotes. */
export function quoteForShell(word: string): string {
  return /^[\w./…-][\w.:/=,@+…-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Decodes a part of a URL. A malformed one, such as `50%`, is returned as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
