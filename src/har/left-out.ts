import type { ReadEntry } from './schema.ts'

/** Why an entry is no request of the API: what is told of all such entries. */
export const reasons = {
  elsewhere: 'to other addresses',
  socket: 'of web sockets',
  preflight: 'preflights of the browser',
  cached: "from the browser's cache",
  unanswered: 'that the browser gave up',
} as const

/** Why an entry is left out. */
export type LeftOut = keyof typeof reasons

/** Why a request below the base URL is none that anybody sent, or none that was answered; null for any other. */
export function leftOut({ request, response, ...entry }: ReadEntry): LeftOut | null {
  if (isPreflight(request, entry)) return 'preflight'
  if (entry._fromCache) return 'cached'
  return response.status <= 0 && errorOf(response) !== null && !isBroken(response)
    ? 'unanswered'
    : null
}

/**
 * Whether the connection broke. Without a word on it a status of 0 says so; a browser also has it for what it gave up
 * by itself, and then says why.
 */
export function isBroken(response: ReadEntry['response']): boolean {
  const error = errorOf(response)
  return error === null ? response.status <= 0 : breaks.test(error)
}

/** In the words of the browser, such as `net::ERR_EMPTY_RESPONSE`. */
function errorOf({ _error, _failureText }: ReadEntry['response']): string | null {
  return _error || _failureText || null
}

const breaks =
  /ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|HTTP2_PROTOCOL_ERROR|SOCKET_NOT_CONNECTED)|socket hang up/

/** What a browser asks by itself, before it lets a page of another origin ask. */
function isPreflight(
  { method, headers }: ReadEntry['request'],
  { _resourceType }: Pick<ReadEntry, '_resourceType'>,
): boolean {
  if (_resourceType === 'preflight') return true
  const asks = headers.some(({ name }) => /^access-control-request-method$/i.test(name))
  return method === 'OPTIONS' && asks
}
