import { unexpectedValue } from '../utils/errors.ts'
import { decodePart, escapeRegExp } from '../utils/text.ts'
import type { Call, PathParams } from './endpoint.ts'
import { Failure } from './failures.ts'
import type { RequestHead } from './messages.ts'

/** @param otherMethods returns the methods of the path, if it has any */
export function methodNotAllowed(method: string, otherMethods?: () => string): Failure {
  const reason = otherMethods && (() => `${method} does not work here; ${otherMethods()} do`)
  return new Failure('method_not_allowed', `Method "${method}" not allowed.`, { reason })
}

/** Handles the requests of one path, without an object of fetch or of MSW. */
export interface ApiHandler {
  readonly base: BaseUrl
  /** `/api/projects/:project_id/annotations/:id` */
  readonly path: string
  readonly methods: readonly string[]
  /** Finds the world of a request with the path. Returns null for an unknown sandbox */
  open(path: PathMatch<ApiHandler>, head: RequestHead): Call | null
}

/** Finds what handles a request. @param url absolute, or a path with a query */
export type MatchRequest = (url: string, head: RequestHead) => Call | null

export function compileHandlers(handlers: readonly ApiHandler[]): MatchRequest {
  const finders: FindPath<ApiHandler>[] = []
  return (url, head) => {
    for (const [index, handler] of handlers.entries()) {
      finders[index] ??= compilePaths([handler], handler.base)
      const path = finders[index](url)
      const match = path?.item.open(path, head)
      if (match) return match
    }
    return null
  }
}

/**
 * Marks the MSW handlers of this package, so that a server can leave out the objects of fetch. A registered symbol, because
 * the bin and the library are two copies of this module.
 */
export const apiHandlerSymbol = Symbol.for('understudy-api/handler')

/**
 * The API handler behind an MSW handler of this package. Null for one that only clients need, because a server answers in its
 * place, and undefined for any other handler of MSW.
 */
export function toApiHandler(handler: object): ApiHandler | null | undefined {
  return Reflect.get(handler, apiHandlerSymbol) as ApiHandler | null | undefined
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
 * @param text an origin, whose user name and password are dropped, a path, or both; `*` or nothing for any origin
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

interface PathMatch<Item> {
  readonly item: Item
  readonly params: PathParams
  /** The id of a sandbox in the URL: `a` in `/__sandbox/a/api/projects/`. */
  readonly sandboxId: string | undefined
}

/** Finds the path of a URL, which is absolute, or a path with an optional query. */
type FindPath<Item> = (url: string) => PathMatch<Item> | null

/**
 * Compiles paths of the API, such as `/api/projects/:project_id`. A trailing slash is optional, and a suffix such as `.json`
 * is the parameter `format`. Any other parameter contains no slash and no dot. Of two paths that a URL has, the first one
 * counts.
 */
export function compilePaths<Item extends { readonly path: string }>(
  items: readonly Item[],
  base: BaseUrl,
): FindPath<Item> {
  const start = baseUrlPattern(base)
  const paths = items.map((item) => {
    const path = escapeRegExp(item.path).replace(/:\w+/g, '([^/.?#]+)')
    const names = Array.from(item.path.matchAll(/:(\w+)/g), ([, name]) => name as string)
    const pattern = new RegExp(`^${start}${path}(?:/?\\.([a-z0-9]+))?/?(?=[?#]|$)`)
    return { item, names: [...names, 'format'], pattern }
  })
  return (url) => {
    const text = url.includes('%') ? decodePath(url) : url
    for (const { item, names, pattern } of paths) {
      const match = pattern.exec(text)
      if (!match) continue
      const params: Record<string, string> = {}
      for (let index = 0; index < names.length; index++) {
        const value = match[index + 2]
        if (value !== undefined) params[names[index] as string] = value
      }
      return { item, params, sandboxId: match[1] }
    }
    return null
  }
}

/** The first 12 segments of a path, which can have a trailing slash. No path of the API has as many. */
export function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/', 13).slice(1)
}

export function isApiPath(path: string): boolean {
  return /^\/api(?:\/|$)/.test(path)
}

export function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

/** As the service's source has it: a path is percent-decoded before it is routed, so `%2F` separates segments. */
function decodePath(url: string) {
  return url.replace(/(?<=\/api\/)[^?#]+/, (path) =>
    decodePart(path).replace(/[?#]/g, encodeURIComponent),
  )
}
