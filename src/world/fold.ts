/**
 * Folds a text for search as the service's database does: character by character, so that ß does not match
 * ss (observed §4.1). Lower-casing a whole text would write a final sigma differently.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
