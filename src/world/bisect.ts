/**
 * The first index from `from` up to but not including `to` where `holds` is true, else `to`.
 * `holds` must stay true once it is.
 *
 * @example
 * bisect(0, ids.length, (index) => ids[index] >= 42) // where 42 is, or belongs
 */
export function bisect(from: number, to: number, holds: (index: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
