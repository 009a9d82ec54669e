import { unexpectedValue } from '../utils/errors.ts'
import { decodePart, escapeRegExp } from '../utils/escape.ts'

/** Whether a method only reads (RFC 9110, 9.2.1). @example isSafeMethod('HEAD') // true */
export function isSafeMethod(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

export function requestTarget(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start).replace(/#.*/s, '')
}

export function queryString(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/** Replaces the query of a URL, which must not be empty. Parameters are sorted by name and encoded as by Python's `urlencode`. */
export function withQuery(url: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  const text = String(sorted).replaceAll('*', '%2A').replaceAll('%7E', '~')
  return `${url.replace(/[?#].*/s, '')}?${text}`
}

/** The path segment in front of a sandbox id: `/__sandbox/a/api/projects/`. */
export const sandboxPrefix = '/__sandbox'

export function splitSandboxPath(path: string): { sandboxId: string | undefined; path: string } {
  const [, sandboxId, rest] = /^\/__sandbox\/([^/?]*)\/?(.*)/s.exec(path) ?? []
  return { sandboxId, path: rest === undefined ? path : `/${rest}` }
}

/** Removes what precedes the paths of the API: a mount path or a sandbox. */
export function apiPath(path: string): string {
  const start = path.search(/\/api(\/|$)/)
  return start < 0 ? splitSandboxPath(path).path : path.slice(start)
}

/** The URL below which the API is served: an origin, or `*` for any origin, and a path prefix. */
export interface BaseUrl {
  readonly origin: string
  readonly prefix: string
}

/**
 * Parses a base URL.
 *
 * @param text an origin, a path, both, or `*` for any origin
 * @throws UsageError for any other text
 */
export function toBaseUrl(text: string): BaseUrl {
  const parts = /^(\*|https?:\/\/[^/?#]+)?(\/[^?#]*?)?\/*$/i.exec(text)
  const [, origin = '*', prefix = ''] = parts ?? []
  const address = formatBaseUrl({ origin, prefix })
  if (!parts || !URL.canParse(address)) {
    throw unexpectedValue('read the base URL', 'an http(s) origin, a path, both, or *', text)
  }
  // Normalized like the URLs of requests: lower case, no default port, percent-encoded.
  const url = new URL(address)
  return { origin: origin === '*' ? origin : url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

/** Formats a base URL as an address. If any origin is allowed, the address is on this machine. */
export function formatBaseUrl({ origin, prefix }: BaseUrl): string {
  return `${origin === '*' ? 'http://localhost' : origin}${prefix}`
}

/**
 * Creates the source of a regular expression for the beginning of a URL. Its only group is the id of a sandbox, which may
 * follow the base URL. The origin is optional, because a server receives paths only.
 */
export function baseUrlPattern({ origin, prefix }: BaseUrl): string {
  const originPattern = origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(origin)
  return `(?:${originPattern})?${escapeRegExp(prefix)}(?:${sandboxPrefix}/([^/?#]+))?`
}

/** The values of the parameters of a path, and as `format` a suffix: `json` in `/plugins.json`. */
export type PathParams = Readonly<Record<string, string>>

/** One of some paths, found in a URL. */
export interface PathMatch<Item> {
  readonly item: Item
  readonly params: PathParams
  /** The id of a sandbox in the URL: `a` in `/__sandbox/a/api/projects/`. */
  readonly sandboxId: string | undefined
}

/** Finds the path of a URL, which is absolute, or a path with an optional query. */
export type FindPath<Item> = (url: string) => PathMatch<Item> | null

/**
 * Compiles paths of the API, such as `/api/projects/:project_id`, to a table by their number of segments. A trailing slash
 * is optional. A parameter contains no slash and no dot. Of two paths that a URL has, the first one counts.
 */
export function compilePaths<Item extends { readonly path: string }>(
  items: readonly Item[],
  base: BaseUrl,
): FindPath<Item> {
  const start = new RegExp(`^${baseUrlPattern(base)}(?=/)`)
  const table = new Map<number, { readonly item: Item; readonly pattern: readonly string[] }[]>()
  for (const item of items) {
    const pattern = splitPath(item.path)
    table.set(pattern.length, [...(table.get(pattern.length) ?? []), { item, pattern }])
  }
  return (url) => {
    const [head, sandboxId] = start.exec(url) ?? []
    if (head === undefined) return null
    const segments = splitPath(pathOf(url.includes('%') ? decodePath(url) : url, head.length))
    const format = takeSuffix(segments)
    for (const { item, pattern } of table.get(segments.length) ?? []) {
      const params = readParams(pattern, segments, format)
      if (params) return { item, params, sandboxId }
    }
    return null
  }
}

function pathOf(url: string, start: number): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** Takes a suffix such as `.json` off the last segment, or the whole segment if it is nothing else. */
function takeSuffix(segments: string[]): string | undefined {
  const last = segments.at(-1) ?? ''
  const [, name, format] = last.includes('.') ? (/^([^.]*)\.([a-z0-9]+)$/.exec(last) ?? []) : []
  if (name === '') segments.pop()
  else if (name !== undefined) segments[segments.length - 1] = name
  return format
}

/** Returns null if the segments are not those of the pattern. */
function readParams(
  pattern: readonly string[],
  segments: readonly string[],
  format: string | undefined,
): PathParams | null {
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] as string
    if (!isParameter(expected)) {
      if (segment !== expected) return null
    } else if (segment === '' || segment.includes('.')) return null
    else params[expected.slice(1)] = segment
  }
  return format === undefined ? params : { ...params, format }
}

/** The segments of a path, which can have a trailing slash. */
export function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1)
}

/** Whether a path is that of the API, known or not. */
export function isApiPath(path: string): boolean {
  return /^\/api(?:\/|$)/.test(path)
}

export function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

/** Seen in the live service: a path is percent-decoded before it is routed, so `%2F` separates segments. */
function decodePath(url: string): string {
  return url.replace(/(?<=\/api\/)[^?#]+/, (path) =>
    decodePart(path).replace(/[?#]/g, encodeURIComponent),
  )
}
