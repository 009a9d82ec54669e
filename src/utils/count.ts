/** Formats a number of things. @example formatCount(2, 'entry') // '2 entries' */
export function formatCount(
  count: number,
  singular: string,
  plural: string = `${singular.replace(/(?<![aeiou])y$/, 'ie')}s`,
): string {
  return `${count} ${count === 1 ? singular : plural}`
}
