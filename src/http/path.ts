import { unexpected } from '../usage-error.ts'

/** A path pattern, compiled once. */
export interface Path {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly pattern: string
  /** The parameters of an address that has this path, by name; null for any other address. */
  match(url: string): PathMatch | null
}

export interface PathMatch {
  readonly params: Readonly<Record<string, string>>
  /** What follows a dot at the end, such as `json` in `/plugins.json` (observed §7). */
  readonly suffix: string | undefined
}

/**
 * Compiles a pattern to a matcher of addresses, absolute or beginning at the path. A trailing slash makes
 * no difference; a parameter holds neither slash nor dot (observed §4.3).
 *
 * @param base what stands before the pattern: an origin, a path, both, or `*` for any origin
 * @param others patterns that are matched beside it: a parameter is never one of their fixed words, so that
 *   no address has two paths, and no order of matching is better than another
 * @example toPath('/api/projects', '*').match('http://localhost/api/projects/?limit=1')
 */
export function toPath(pattern: string, base: string, others: readonly string[] = []): Path {
  const segments = segmentsOf(pattern)
  const names = segments.filter(isParameter).map((segment) => segment.slice(1))
  const source = segments
    .map((segment, index) =>
      isParameter(segment)
        ? `/${noneOf(fixedWords(segments.slice(0, index), others))}([^/.?#]+)`
        : `/${escapeRegExp(segment)}`,
    )
    .join('')
  const matcher = new RegExp(`^${baseSource(base)}${source}(?:\\.([a-z0-9]+))?/?(?:[?#]|$)`)
  return {
    pattern,
    match(url) {
      const found = matcher.exec(url)
      if (found === null) return null
      const params: Record<string, string> = {}
      for (let index = 0; index < names.length; index++) {
        params[names[index] as string] = decode(found[index + 1] as string)
      }
      return { params, suffix: found[names.length + 1] }
    },
  }
}

/** The fixed words that other patterns have where they go on from the same beginning. */
function fixedWords(beginning: readonly string[], others: readonly string[]): string[] {
  return others
    .map(segmentsOf)
    .filter((segments) => beginning.every((segment, index) => segments[index] === segment))
    .map((segments) => segments[beginning.length] ?? ':')
    .filter((segment) => !isParameter(segment))
}

function noneOf(words: readonly string[]): string {
  if (words.length === 0) return ''
  return `(?!(?:${words.map(escapeRegExp).join('|')})(?:[/.?#]|$))`
}

function segmentsOf(pattern: string): string[] {
  return pattern.split('/').slice(1)
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

/** The origin may be missing from what is matched: a server sees paths only. */
function baseSource(base: string): string {
  const { origin, prefix } = splitBase(base)
  return `(?:${origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(origin)})?${escapeRegExp(prefix)}`
}

/**
 * `https://host/prefix` as its origin and its path; `*` for any origin.
 *
 * @throws UsageError for what is none of these
 */
export function splitBase(base: string): { origin: string; prefix: string } {
  const found = /^(\*|https?:\/\/[^/?#]+)?(\/[^?#]*?)?\/*$/.exec(base)
  if (!found) throw unexpected('read the base URL', 'an http(s) origin, a path, both, or *', base)
  const [, origin = '*', prefix = ''] = found
  return { origin, prefix }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
