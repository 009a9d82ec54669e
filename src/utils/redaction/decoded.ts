import { decodePercent, percentEncode } from '../query.ts'

/** What takes the place of a part of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [edited, at] = ['', 0]
  for (const { start, end, replacement } of edits) {
    edited += text.slice(at, start) + replacement
    at = end
  }
  return edited + text.slice(at)
}

/**
 * Edits a text by what is found in it when it is percent-decoded once, twice, and so on, as often as it is encoded.
 *
 * @param times how often it is decoded at most
 */
export function editDecoded(
  text: string,
  times: number,
  find: (decoded: string) => readonly Edit[],
): string {
  // The text in hand, and what it is when it is decoded, as long as nothing is found
  let levels = [text]
  for (let level = 1; level <= times; level++) {
    while (levels.length <= level) {
      const encoded = levels.at(-1) as string
      const decoded = decodePercent(encoded)
      if (decoded.length === encoded.length) return levels[0] as string
      levels.push(decoded)
    }
    const edits = find(levels[level] as string)
    if (edits.length === 0) continue
    levels = [applyEdits(levels[0] as string, levels.slice(0, -1).reduceRight(encodeEdits, edits))]
  }
  return levels[0] as string
}

/** The edits of an encoded text that do what those of the decoded one do. */
function encodeEdits(edits: readonly Edit[], encoded: string): readonly Edit[] {
  /** Where each character of the decoded text begins, and where the encoded one ends */
  const places: number[] = []
  let at = 0
  for (const { 0: written, index } of encoded.matchAll(encodedCharacter)) {
    while (at < index) places.push(at++)
    for (let unit = 0; unit < decodePercent(written).length; unit++) places.push(index)
    at = index + written.length
  }
  while (at <= encoded.length) places.push(at++)
  return edits.map(({ start, end, replacement }) => ({
    start: places[start] as number,
    end: places[end] as number,
    replacement: percentEncode(replacement),
  }))
}

/** A character of UTF-8, or bytes that are none */
const encodedCharacter = /%[0-7][\da-f]|%[89a-f][\da-f](?:%[89ab][\da-f]){0,3}/gi
