import { pathItems } from '../../api/endpoints.ts'
import { toBaseUrl } from '../../http/base-url.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createPathMatcher } from '../../http/path.ts'
import { isObject } from '../../utils/json.ts'
import { parseEntry } from './parse-entry.ts'
import { type SkipReason, skipReason } from './skip-reason.ts'

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

const apiPaths = pathItems.map(({ pattern }) => createPathMatcher(pattern, toBaseUrl('*')))

/**
 * Where the API begins, by an address of it; null for the address of anything else.
 *
 * @example apiBase('https://example.com/mock/api/projects/1/annotations/?limit=2') // 'https://example.com/mock'
 */
export function findApiBase(url: string): string | null {
  const [address = ''] = url.split(/[?#]/)
  const origin = /^https?:\/\/[^/]*/i.exec(address)?.[0].length ?? address.length
  for (let at = address.indexOf('/api/', origin); at >= 0; at = address.indexOf('/api/', at + 1)) {
    const path = address.slice(at)
    if (apiPaths.some((one) => one.match(path) !== null)) return address.slice(0, at)
  }
  return null
}
