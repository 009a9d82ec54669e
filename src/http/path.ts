import { escapeRegExp } from '../utils/escape-reg-exp.ts'
import { type BaseUrl, baseUrlPattern } from './base-url.ts'

/** A path pattern, read once: what a matcher of it looks for, wherever the API begins. */
export interface PathPattern {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly text: string
  /** The names of its parameters. */
  readonly names: readonly string[]
  /** A regular expression of it. */
  readonly source: string
}

/** A pattern below a base. */
export interface PathMatcher {
  readonly pattern: string
  /** The parameters of an address that has this path, by name; null for any other address. */
  match(url: string): PathMatch | null
}

export interface PathMatch {
  readonly params: Readonly<Record<string, string>>
  /** What follows a dot at the end, such as `json` in `/plugins.json` (observed §7). */
  readonly suffix: string | undefined
  /** The sandbox that the address names: `a` in `/__sandbox/a/api/projects/`. */
  readonly sandbox: string | undefined
}

/**
 * Reads a pattern. A trailing slash makes no difference; a parameter holds neither slash nor dot
 * (observed §4.3).
 *
 * @param others patterns that are matched beside it: a parameter is never one of their fixed words, so that
 *   no address has two paths, and no order of matching is better than another
 */
export function parsePathPattern(text: string, others: readonly string[] = []): PathPattern {
  const segments = splitPath(text)
  const source = segments
    .map((segment, index) =>
      isParameter(segment)
        ? `/${exceptWords(fixedWords(segments.slice(0, index), others))}([^/.?#]+)`
        : `/${escapeRegExp(segment)}`,
    )
    .join('')
  const names = segments.filter(isParameter).map((segment) => segment.slice(1))
  return { text, names, source: `${source}(?:\\.([a-z0-9]+))?/?(?:[?#]|$)` }
}

/**
 * A matcher of addresses, absolute or beginning at the path.
 *
 * @example toPath(toPattern('/api/projects'), toBase('*')).match('http://localhost/api/projects/?limit=1')
 */
export function createPathMatcher(
  { text, names, source }: PathPattern,
  base: BaseUrl,
): PathMatcher {
  const matcher = new RegExp(`^${baseUrlPattern(base)}${source}`)
  const match = (url: string): PathMatch | null => {
    const found = matcher.exec(url)
    if (found === null) return null
    const params: Record<string, string> = {}
    for (let index = 0; index < names.length; index++) {
      params[names[index] as string] = decode(found[index + 2] as string)
    }
    return { params, suffix: found[names.length + 2], sandbox: found[1] }
  }
  // MSW asks each handler of a path, one after the other, about the same address.
  let asked: string | null = null
  let known: PathMatch | null = null
  return {
    pattern: text,
    match(url) {
      if (url !== asked) known = match(url)
      asked = url
      return known
    },
  }
}

/** The fixed words that other patterns have where they go on from the same beginning. */
function fixedWords(beginning: readonly string[], others: readonly string[]): string[] {
  return others
    .map(splitPath)
    .filter((segments) => beginning.every((segment, index) => segments[index] === segment))
    .map((segments) => segments[beginning.length] ?? ':')
    .filter((segment) => !isParameter(segment))
}

function exceptWords(words: readonly string[]): string {
  if (words.length === 0) return ''
  return `(?!(?:${words.map(escapeRegExp).join('|')})(?:[/.?#]|$))`
}

function splitPath(pattern: string): string[] {
  return pattern.split('/').slice(1)
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
