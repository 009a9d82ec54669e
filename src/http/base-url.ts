import { escapeRegExp } from '../utils/escape-reg-exp.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import { sandboxPrefix } from './url.ts'

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
 * @example toBaseUrl('https://app.example.com/service') // { origin: 'https://app.example.com', prefix: '/service' }
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

/**
 * Formats a base URL as an address. If any origin is allowed, the address is on this machine.
 *
 * @example formatBaseUrl(toBaseUrl('*')) // 'http://localhost'
 */
export function formatBaseUrl({ origin, prefix }: BaseUrl): string {
  return `${origin === '*' ? 'http://localhost' : origin}${prefix}`
}

/**
 * Creates the source of a regular expression for the beginning of a URL. Its first group is the id of the sandbox, which
 * may follow the base URL. The origin is optional, because a server receives paths only.
 */
export function baseUrlPattern({ origin, prefix }: BaseUrl): string {
  const originPattern = origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(origin)
  return `(?:${originPattern})?${escapeRegExp(prefix)}(?:${sandboxPrefix}/([^/?#]+))?`
}
