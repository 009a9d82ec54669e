/** Escapes a text so that a regular expression matches it literally. */
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
