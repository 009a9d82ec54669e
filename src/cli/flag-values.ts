import { parseForward } from '../server/forwarding.ts'
import { unknownWord } from '../utils/errors.ts'

export function checkForward(text: string, source: string): string {
  parseForward(text, `read ${source}`)
  return text
}

/**
 * Reads the kinds of `--fail-on`, of which `none` stands for no kind.
 *
 * @param byDefault the kinds without the flag
 * @throws UsageError for an unknown kind
 */
export function kindsToFail<Kind extends string>(
  words: readonly string[],
  kinds: readonly Kind[],
  byDefault: readonly Kind[] = kinds,
): readonly Kind[] {
  const known = [...kinds, 'none']
  for (const word of words) {
    if (!known.includes(word)) throw unknownWord('read --fail-on', known, word)
  }
  return words.length > 0 ? kinds.filter((kind) => words.includes(kind)) : byDefault
}
