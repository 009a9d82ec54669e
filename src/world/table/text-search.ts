/**
 * Folds a text for search as the service's database does: character by character, so that ß does not match
 * ss (observed §4.1). Lower-casing a whole text would write a final sigma differently.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** Terms hold no white space, so no hit can reach from one text into the next. */
const SEPARATOR = '\n'

/**
 * Many short texts as one string: one native search instead of one per text. Null is never found.
 *
 * @example
 * new JoinedText(['release 2.0', null, 'release 2.1']).find(['2.1', 'rel']) // [2]
 */
export class JoinedText {
  readonly #text: string
  /** Where each text begins, and as a last entry where the next one would. */
  readonly #starts: Uint32Array

  constructor(texts: readonly (string | null)[]) {
    this.#text = texts.join(SEPARATOR)
    this.#starts = new Uint32Array(texts.length + 1)
    texts.forEach((text, index) => {
      const length = (text?.length ?? 0) + SEPARATOR.length
      this.#starts[index + 1] = (this.#starts[index] as number) + length
    })
  }

  /**
   * The positions, ascending, of the texts that hold every term. Each term leaps to its next hit,
   * and the others follow there, so that none reads the string twice.
   */
  find(terms: readonly string[]): number[] {
    const starts = this.#starts
    const next = terms.map(() => -1)
    const found: number[] = []

    let index = 0
    while (index < starts.length - 1) {
      const start = starts[index] as number
      let furthest = start
      for (let term = 0; term < terms.length; term++) {
        let hit = next[term] as number
        if (hit < start) hit = this.#text.indexOf(terms[term] as string, start)
        if (hit === -1) return found
        next[term] = hit
        if (hit > furthest) furthest = hit
      }
      if (furthest < (starts[index + 1] as number)) found.push(index++)
      else while ((starts[index + 1] as number) <= furthest) index++
    }
    return found
  }
}
