/**
 * Folds a text for search as the database of the service does: character by character, so that ß does not match ss.
 * Lower-casing a whole text would write a final sigma differently.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** Terms contain no white space, so no hit can span two texts. */
const SEPARATOR = '\n'

/**
 * Many short texts joined into one string: one native search instead of one per text. A search never finds null.
 *
 * @example new JoinedText(['release 2.0', null, 'release 2.1']).find(['2.1', 'rel']) // [2]
 */
export class JoinedText {
  readonly #text: string
  /** The position of each text, then the end of the last one. */
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
   * Finds the texts that contain every term. Each term skips to its next hit, and the other terms continue from there,
   * so that no term reads the string twice.
   *
   * @returns the indexes of the texts, in ascending order
   */
  find(terms: readonly string[]): number[] {
    const starts = this.#starts
    const hits = terms.map(() => -1)
    const matches: number[] = []

    let index = 0
    while (index < starts.length - 1) {
      const start = starts[index] as number
      let furthest = start
      for (let term = 0; term < terms.length; term++) {
        let hit = hits[term] as number
        if (hit < start) hit = this.#text.indexOf(terms[term] as string, start)
        if (hit === -1) return matches
        hits[term] = hit
        if (hit > furthest) furthest = hit
      }
      if (furthest < (starts[index + 1] as number)) matches.push(index++)
      else while ((starts[index + 1] as number) <= furthest) index++
    }
    return matches
  }
}
