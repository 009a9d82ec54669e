/**
 * Folds a text for search as the database of the service does: character by character, so that ß does not match ss.
 * Lower-casing a whole text would write a final sigma differently.
 */
function foldText(text: string) {
  const folded = text.toLowerCase()
  return folded.includes('ς') ? folded.replaceAll('ς', 'σ') : folded
}

/** The folded words of a search, each once, which commas and white space separate. @example searchTerms('Spring, ends') */
export function searchTerms(text: string): string[] {
  const terms = new Set(foldText(text).split(/[\s,]+/))
  terms.delete('')
  return [...terms]
}

/** Whether a text contains every folded term, in any case. Null contains none. */
export function matchesTerms(text: string | null, terms: readonly string[]): boolean {
  if (terms.length === 0) return true
  const folded = foldText(text ?? '')
  return terms.every((term) => folded.includes(term))
}
