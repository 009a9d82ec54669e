import { percentEncode } from '../query.ts'
import { decodePart } from '../text.ts'

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
  let edited = text
  // The levels of the text in hand, which stay while nothing is found
  let levels: Decoded[] = []
  for (let level = 1; level <= times; level++) {
    while (levels.length < level) {
      const inner = levels.at(-1)?.text ?? edited
      const decoded = decodeText(inner)
      if (decoded.text.length === inner.length) return edited
      levels.push(decoded)
    }
    const edits = find((levels.at(-1) as Decoded).text)
    if (edits.length === 0) continue
    edited = applyEdits(edited, levels.reduceRight(encodeEdits, edits))
    levels = []
  }
  return edited
}

/** A text that was percent-decoded. */
interface Decoded {
  readonly text: string
  /** Where each of its characters begins in the text before, and where that one ends */
  readonly places: Uint32Array
}

/** Percent-decodes a text once. What is not valid UTF-8 stays. */
function decodeText(encoded: string): Decoded {
  const places = new Uint32Array(encoded.length + 1)
  let [at, length] = [0, 0]
  const text = encoded.replace(encodedCharacter, (written: string, index: number) => {
    const character = decodePart(written)
    if (character === written) return written
    while (at < index) places[length++] = at++
    places.fill(index, length, length + character.length)
    length += character.length
    at = index + written.length
    return character
  })
  while (at <= encoded.length) places[length++] = at++
  return { text, places }
}

/** The edits of the text before that do what those of the decoded one do. */
function encodeEdits(edits: readonly Edit[], { places }: Decoded): readonly Edit[] {
  return edits.map(({ start, end, replacement }) => ({
    start: places[start] as number,
    end: places[end] as number,
    replacement: percentEncode(replacement),
  }))
}

/** A character of UTF-8 */
const encodedCharacter =
  /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3})/gi
