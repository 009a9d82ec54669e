import { escapeRegExp } from '../utils/escape-reg-exp.ts'
import { type BaseUrl, baseUrlPattern } from './base-url.ts'

/** The parameters of a path, by name. */
export type PathParams = Readonly<Record<string, string>>

/** A parsed path pattern, independent of the base URL. */
export interface PathPattern {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly text: string
  /** The names of its parameters. */
  readonly names: readonly string[]
  /** The source of a regular expression. */
  readonly source: string
}

/** Matches URLs with one path below a base URL. */
export interface PathMatcher {
  readonly pattern: string
  /** @param url absolute, or a path with an optional query */
  match(url: string): PathMatch | null
}

/** A URL that matches a path. */
export interface PathMatch {
  readonly params: PathParams
  /** The format suffix: `json` in `/plugins.json`. */
  readonly suffix: string | undefined
  /** The id of a sandbox in the URL: `a` in `/__sandbox/a/api/projects/`. */
  readonly sandboxId: string | undefined
}

/**
 * Parses a path pattern. A trailing slash is optional. A parameter contains no slash and no dot.
 *
 * @param others the other patterns of the API. A parameter never matches one of their fixed segments, so a URL matches
 *   at most one pattern and the order of matching does not matter.
 */
export function parsePathPattern(text: string, others: readonly string[] = []): PathPattern {
  const segments = splitPath(text)
  const source = segments
    .map((segment, index) =>
      isParameter(segment)
        ? `/${exceptWords(fixedSegments(segments.slice(0, index), others))}([^/.?#]+)`
        : `/${escapeRegExp(segment)}`,
    )
    .join('')
  const names = segments.filter(isParameter).map((segment) => segment.slice(1))
  return { text, names, source: `${source}(?:\\.([a-z0-9]+))?/?(?:[?#]|$)` }
}

/**
 * Creates a matcher for a path below a base URL.
 *
 * @example createPathMatcher(parsePathPattern('/api/projects'), toBaseUrl('*')).match('/api/projects/?limit=1')
 */
export function createPathMatcher(
  { text, names, source }: PathPattern,
  base: BaseUrl,
): PathMatcher {
  const matcher = new RegExp(`^${baseUrlPattern(base)}${source}`)
  return {
    pattern: text,
    match(url) {
      const groups = matcher.exec(url)
      if (groups === null) return null
      const params: Record<string, string> = {}
      for (let index = 0; index < names.length; index++) {
        params[names[index] as string] = decode(groups[index + 2] as string)
      }
      return { params, suffix: groups[names.length + 2], sandboxId: groups[1] }
    },
  }
}

/** The fixed segments that follow the same prefix in other patterns. */
function fixedSegments(prefix: readonly string[], others: readonly string[]): string[] {
  return others
    .map(splitPath)
    .filter((segments) => prefix.every((segment, index) => segments[index] === segment))
    .map((segments) => segments[prefix.length] ?? ':')
    .filter((segment) => !isParameter(segment))
}

function exceptWords(words: readonly string[]): string {
  if (words.length === 0) return ''
  return `(?!(?:${words.map(escapeRegExp).join('|')})(?:[/.?#]|$))`
}

/** Splits a path or a pattern into its segments. */
export function splitPath(path: string): string[] {
  return path.split('/').slice(1)
}

/** Whether a segment of a pattern is a parameter, such as `:id`. */
export function isParameter(segment: string): boolean {
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
