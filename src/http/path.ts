/** A path pattern, compiled once. */
export interface Path {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly pattern: string
  readonly segments: readonly string[]
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
 * @example toPath('/api/projects', '*').match('http://localhost/api/projects/?limit=1')
 */
export function toPath(pattern: string, base: string): Path {
  const segments = pattern.split('/').slice(1)
  const names = segments.filter(isParameter).map((segment) => segment.slice(1))
  const source = segments
    .map((segment) => (isParameter(segment) ? '/([^/.?#]+)' : `/${escapeRegExp(segment)}`))
    .join('')
  const matcher = new RegExp(`^${baseSource(base)}${source}(?:\\.([a-z0-9]+))?/?(?:[?#]|$)`)
  return {
    pattern,
    segments,
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

/** A fixed word stands before a parameter: `/plugins/activity` before `/plugins/:id`. */
export function bySpecificity(a: Path, b: Path): number {
  const shared = Math.min(a.segments.length, b.segments.length)
  for (let index = 0; index < shared; index++) {
    const difference =
      Number(isParameter(a.segments[index] as string)) -
      Number(isParameter(b.segments[index] as string))
    if (difference !== 0) return difference
  }
  return b.segments.length - a.segments.length
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

/** The origin may be missing from what is matched: a server sees paths only. */
function baseSource(base: string): string {
  const { origin, prefix } = splitBase(base)
  return `(?:${origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(origin)})?${escapeRegExp(prefix)}`
}

/** `https://host/prefix` → origin and prefix; `*` for any origin. */
export function splitBase(base: string): { origin: string; prefix: string } {
  const [, origin = '*', prefix = ''] = /^(\*|[a-z]+:\/\/[^/]*)?(\/.*?)?\/*$/.exec(base) ?? []
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
