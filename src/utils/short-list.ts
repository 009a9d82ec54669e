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
