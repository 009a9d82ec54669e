/** A value as JSON, cut where it is too long for the title of a test. */
export function shortJson(value: unknown): string {
  const signs = [...JSON.stringify(value)]
  return signs.length > 40 ? `${signs.slice(0, 30).join('')}… (${signs.length})` : signs.join('')
}
