/** A value as JSON, truncated for the title of a test. */
export function shortJson(value: unknown): string {
  const characters = [...JSON.stringify(value)]
  return characters.length > 40
    ? `${characters.slice(0, 30).join('')}… (${characters.length})`
    : characters.join('')
}
