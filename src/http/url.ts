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
  if (text === '*') return { origin: '*', prefix: '' }
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
 * Creates the source of a regular expression for the beginning of a URL. Its group `sandboxId` may follow the base URL.
 * The origin is optional, because a server receives paths only.
 */
export function baseUrlPattern({ origin, prefix }: BaseUrl): string {
  const originPattern = origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(origin)
  return `(?:${originPattern})?${escapeRegExp(prefix)}(?:${sandboxPrefix}/(?<sandboxId>[^/?#]+))?`
}

export type PathParams = Readonly<Record<string, string>>

export interface PathMatch {
  readonly params: PathParams
  /** The format suffix: `json` in `/plugins.json`. */
  readonly suffix: string | undefined
  /** The id of a sandbox in the URL: `a` in `/__sandbox/a/api/projects/`. */
  readonly sandboxId: string | undefined
}

/**
 * Compiles a path of the API, such as `/api/projects/:project_id`. A trailing slash is optional. A parameter contains no
 * slash and no dot.
 *
 * @returns a function that matches a URL, which is absolute, or a path with an optional query
 */
export function compilePath(path: string, base: BaseUrl): (url: string) => PathMatch | null {
  const source = splitPath(path)
    .map((segment) =>
      isParameter(segment) ? `/(?<${segment.slice(1)}>[^/.?#]+)` : `/${escapeRegExp(segment)}`,
    )
    .join('')
  const matcher = new RegExp(
    `^${baseUrlPattern(base)}${source}(?:/?\\.(?<suffix>[a-z0-9]+))?/?(?:[?#]|$)`,
  )
  return (url) => {
    const groups = matcher.exec(url.includes('%') ? decodePath(url) : url)?.groups
    if (!groups) return null
    const { sandboxId, suffix, ...params } = groups
    return { params, suffix, sandboxId }
  }
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
