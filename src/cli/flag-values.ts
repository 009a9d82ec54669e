import { parseForward } from '../server/forwarding.ts'
import { isLoopback } from '../utils/network.ts'
import { unexpectedValue, unknownWord } from '../utils/usage-error.ts'

/** Splits names of hosts. */
export function splitHosts(text: string, source: string): string[] {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase().replace(/\.$/, ''))
  for (const host of hosts) {
    if (/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(host) && !isLoopback(host)) continue
    throw unexpectedValue(`read ${source}`, 'the name of a host, such as app.example.com', host)
  }
  return hosts
}

export function checkForward(text: string, source: string): string {
  parseForward(text, '', 0, `read ${source}`)
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
