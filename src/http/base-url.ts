import { escapeRegExp } from '../utils/escape-reg-exp.ts'
import { unexpectedValue } from '../utils/usage-error.ts'

/** Where the API begins: an origin, or `*` for any; and a path before its own paths. */
export interface BaseUrl {
  readonly origin: string
  readonly prefix: string
}

/**
 * @param text an origin, a path, both, or `*` for any origin
 * @throws UsageError for what is none of these
 * @example toBase('https://app.example.com/service') // { origin: 'https://app.example.com', prefix: '/service' }
 */
export function toBaseUrl(text: string): BaseUrl {
  if (text === '*') return { origin: '*', prefix: '' }
  const found = /^(\*|https?:\/\/[^/?#]+)?(\/[^?#]*?)?\/*$/i.exec(text)
  const [, origin = '*', prefix = ''] = found ?? []
  const address = formatBaseUrl({ origin, prefix })
  if (!found || !URL.canParse(address)) {
    throw unexpectedValue('read the base URL', 'an http(s) origin, a path, both, or *', text)
  }
  // As requests have them: in small letters, without a usual port, encoded where it is not ASCII.
  const known = new URL(address)
  const path = known.pathname.replace(/\/+$/, '')
  return { origin: origin === '*' ? origin : known.origin, prefix: path }
}

/** A base as an address. Where any origin will do it is this machine. @example addressOf(toBase('*')) // 'http://localhost' */
export function formatBaseUrl({ origin, prefix }: BaseUrl): string {
  return `${origin === '*' ? 'http://localhost' : origin}${prefix}`
}

/**
 * A regular expression of a base, whose first group is the name of a sandbox. The origin may be missing from what is matched: a server sees paths only. A sandbox may be named between the
 * base and the paths of the API.
 */
export function baseUrlPattern({ origin, prefix }: BaseUrl): string {
  const start = origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(origin)
  return `(?:${start})?${escapeRegExp(prefix)}(?:${sandboxPrefix}/([^/?#]+))?`
}

/** What stands before the name of a sandbox in an address. */
export const sandboxPrefix = '/__sandbox'

/**
 * The sandbox that a path names, and the path without it.
 *
 * @example splitSandbox('/__sandbox/a/api/projects/') // { named: 'a', path: '/api/projects/' }
 */
export function splitSandboxPath(path: string): { sandboxId: string | undefined; path: string } {
  if (!path.startsWith(`${sandboxPrefix}/`)) return { sandboxId: undefined, path }
  const [sandboxId = '', ...rest] = path.slice(sandboxPrefix.length + 1).split('/')
  return { sandboxId, path: `/${rest.join('/')}` }
}

/** A path without what stands before the paths of the API: a mount path, or a sandbox. */
export function apiPath(path: string): string {
  const start = path.search(/\/api(\/|$)/)
  return start < 0 ? splitSandboxPath(path).path : path.slice(start)
}
