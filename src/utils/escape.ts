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

/** Escapes a text for the content or an attribute of an HTML or XML element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string)
}
