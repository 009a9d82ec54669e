/**
 * The fewest items that still do it, by delta debugging (Zeller, Hildebrandt: Simplifying and Isolating
 * Failure-Inducing Input, 2002): parts are left out, large ones first, down to single items. Without any single one
 * of what is left it is no longer done.
 *
 * @param does whether some of the items, in their order, still do it; all of them do
 * @example await fewest([1, 2, 3, 4], async (kept) => kept.includes(3)) // [3]
 */
export async function ddmin<T>(
  items: readonly T[],
  does: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items
  let size = items.length
  while (size > 0 && kept.length > 0) {
    const before = kept.length
    for (let at = 0; at < kept.length; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)]
      if (await does(rest)) kept = rest
      else at += size
    }
    // Single ones are tried until each of them is needed: one may have been needed for another that is gone.
    if (size > 1) size = Math.min(Math.ceil(size / 2), Math.max(1, kept.length))
    else if (kept.length === before) size = 0
  }
  return kept
}
