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
 *
 * @example shortList(['a', 'b', 'c'], 1) // ['a', 'and 2 more']
 */
export function shortList(
  items: readonly string[],
  length: number,
  describeRest: (rest: number) => string = (rest) => `and ${rest} more`,
): string[] {
  const rest = items.length - length
  return rest > 0 ? [...items.slice(0, length), describeRest(rest)] : [...items]
}
