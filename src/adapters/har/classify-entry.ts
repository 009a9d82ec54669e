import { pathItems } from '../../api/endpoints.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createPathMatcher, toBaseUrl } from '../../http/url.ts'
import { isObject } from '../../utils/json.ts'
import { type SkipReason, skipReason } from './entry-schema.ts'
import { parseEntry } from './parse-entry.ts'

/** A HAR entry: an API request with the base URL of its API, a skipped entry, or the issues of an invalid one. */
export type ClassifiedEntry =
  | { readonly exchange: Exchange; readonly base: string }
  | { readonly skipped: SkipReason }
  | { readonly issues: readonly string[] }

/**
 * Separates API requests from everything else that a browser requests.
 *
 * @param path the path of the entry in the archive, such as `log.entries[3]`
 * @param findBase returns the base URL of the API for a URL of the API, and null for any other URL
 */
export function classifyEntry(
  entry: unknown,
  path: string,
  findBase: (url: string) => string | null,
): ClassifiedEntry {
  const url = entryUrl(entry)
  const base = url === null ? null : findBase(url)
  // Entries of other servers are not validated.
  if (url !== null && base === null) {
    return { skipped: /^wss?:/i.test(url) ? 'socket' : 'elsewhere' }
  }
  const parsed = parseEntry(entry, path)
  if ('issues' in parsed) return parsed
  const skipped = skipReason(parsed.entry)
  return skipped === null ? { exchange: parsed.exchange, base: base as string } : { skipped }
}

function entryUrl(entry: unknown): string | null {
  const request = isObject(entry) ? entry.request : null
  const url = isObject(request) ? request.url : null
  return typeof url === 'string' && URL.canParse(url) ? url : null
}

const apiPaths = pathItems.map(({ pattern }) => createPathMatcher(pattern, toBaseUrl('*')))

/**
 * Returns the base URL of the API for a URL of the API, and null for any other URL.
 *
 * @example findApiBase('https://example.com/mock/api/projects/1/annotations/?limit=2') // 'https://example.com/mock'
 */
export function findApiBase(url: string): string | null {
  const [address = ''] = url.split(/[?#]/)
  const pathStart = /^https?:\/\/[^/]*/i.exec(address)?.[0].length ?? address.length
  let start = address.indexOf('/api/', pathStart)
  while (start >= 0) {
    const path = address.slice(start)
    if (apiPaths.some((matcher) => matcher.match(path) !== null)) return address.slice(0, start)
    start = address.indexOf('/api/', start + 1)
  }
  return null
}
