import { isObject } from '../differences.ts'
import type { Exchange } from '../recordings/exchange.ts'
import { type SkipReason, skipReason } from './left-out.ts'
import { parseEntry } from './read.ts'

/** What became of an entry. */
export type ClassifiedEntry =
  | { readonly exchange: Exchange; readonly base: string }
  | { readonly left: SkipReason }
  | { readonly faults: readonly string[] }

/**
 * Tells the requests of the API from all else that a browser asks for.
 *
 * @param path where the entry stands, such as `log.entries[3]`
 * @param baseOf where the API begins, by an address of it; null for any other address
 */
export function classifyEntry(
  given: unknown,
  path: string,
  baseOf: (url: string) => string | null,
): ClassifiedEntry {
  const url = entryUrl(given)
  const base = url === null ? null : baseOf(url)
  // What is none of ours is let be, whatever it looks like.
  if (url !== null && base === null) return { left: /^wss?:/i.test(url) ? 'socket' : 'elsewhere' }
  const read = parseEntry(given, path)
  if ('faults' in read) return read
  const left = skipReason(read.entry)
  return left === null ? { exchange: read.exchange, base: base as string } : { left }
}

/** Null where there is none that can be read. */
function entryUrl(given: unknown): string | null {
  const request = isObject(given) ? given.request : null
  const url = isObject(request) ? request.url : null
  return typeof url === 'string' && URL.canParse(url) ? url : null
}
