import { closest, distance } from 'fastest-levenshtein'

/**
 * Finds the allowed word that a misspelled one was probably meant to be.
 *
 * @param maxDistance how many letters may differ; by default half of the longer word
 * @returns undefined if no allowed word is similar, or if the word itself is allowed
 * @example didYouMean('lvie', ['documented', 'live']) // 'live'
 */
export function didYouMean(
  word: string,
  allowed: readonly string[],
  maxDistance?: number,
): string | undefined {
  if (allowed.length === 0 || allowed.includes(word)) return undefined
  const nearest = closest(word, allowed)
  const limit = maxDistance ?? Math.max(word.length, nearest.length) / 2
  return distance(word, nearest) <= limit ? nearest : undefined
}
