/** Formats a number of things. @example formatCount(2, 'entry', 'entries') // '2 entries' */
export function formatCount(
  count: number,
  singular: string,
  plural: string = `${singular}s`,
): string {
  return `${count} ${count === 1 ? singular : plural}`
}
