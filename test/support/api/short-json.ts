/** Formats a value as JSON, cut to fit into the title of a test. */
export function shortJson(value: unknown): string {
  const characters = [...JSON.stringify(value)]
  const { length } = characters
  return length > 40 ? `${characters.slice(0, 30).join('')}… (${length})` : characters.join('')
}
