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
 * Edits a text by what is found in it when it is percent-decoded so many times.
 *
 * @returns undefined if it is not encoded so often
 */
export function editDecoded(
  text: string,
  times: number,
  find: (decoded: string) => readonly Edit[],
): string | undefined {
  const levels: Decoded[] = []
  let inner = text
  while (levels.length < times) {
    const decoded = decodeText(inner)
    if (decoded.text === inner) return undefined
    levels.push(decoded)
    inner = decoded.text
  }
  return applyEdits(text, levels.reduceRight(encodeEdits, find(inner)))
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
  let [text, at, length] = ['', 0, 0]
  const copy = (end: number): void => {
    text += encoded.slice(at, end)
    while (at < end) places[length++] = at++
  }
  for (const { 0: written, index } of encoded.matchAll(encodedCharacter)) {
    copy(index)
    const character = decodePart(written)
    if (character === written) continue
    text += character
    places.fill(index, length, length + character.length)
    length += character.length
    at = index + written.length
  }
  copy(encoded.length)
  places[length] = encoded.length
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
