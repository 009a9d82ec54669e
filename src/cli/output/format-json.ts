import stringify from 'json-stringify-pretty-compact'

/** The width of a line of a scenario file, in characters. */
const maxWidth = 100

/**
 * Formats JSON for people: an object or a list that fits on its line stays on one line.
 *
 * @param indent of the lines after the first one
 * @param column where the first line starts, by default after the indent
 * @example formatJson({ id: { $match: 'id' } }) // '{"id": {"$match": "id"}}'
 */
export function formatJson(value: unknown, indent = '', column: number = indent.length): string {
  // A comma may follow.
  const inline = stringify(value, { maxLength: maxWidth - column - 1 })
  if (!inline.includes('\n')) return inline
  const text = stringify(value, { maxLength: maxWidth - indent.length - 1 })
  return text.replaceAll('\n', `\n${indent}`)
}
