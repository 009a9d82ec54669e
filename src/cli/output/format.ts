import stringify from 'json-stringify-pretty-compact'

/** Formats a number of things. @example formatCount(2, 'entry') // '2 entries' */
export function formatCount(
  count: number,
  singular: string,
  plural: string = `${singular.replace(/(?<![aeiou])y$/, 'ie')}s`,
): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** The names of rows that differ from their lists. */
const rowNames: Readonly<Record<string, string>> = {
  dashboard_items: 'dashboard item',
  plugin_configs: 'plugin configuration',
  activity: 'activity entry',
}

/** Formats the numbers of rows of a world. @example formatRowCounts({ projects: 2, activity: 1 }) // '2 projects, 1 activity entry' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) =>
    formatCount(count, rowNames[list] ?? list.replace(/s$/, '')),
  )
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}

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
