import type { RawEntry } from './entry-schema.ts'

/** Why an entry is no request of the API: what is told of all such entries. */
export const skipReasonTexts = {
  elsewhere: 'to other addresses',
  socket: 'of web sockets',
  preflight: 'preflights of the browser',
  cached: "from the browser's cache",
  unanswered: 'that the browser gave up',
} as const

/** Why an entry is left out. */
export type SkipReason = keyof typeof skipReasonTexts

/** Why a request below the base URL is none that anybody sent, or none that was answered; null for any other. */
export function skipReason({ request, response, ...entry }: RawEntry): SkipReason | null {
  if (isPreflight(request, entry)) return 'preflight'
  if (entry._fromCache) return 'cached'
  return response.status <= 0 && errorText(response) !== null && !isNetworkError(response)
    ? 'unanswered'
    : null
}

/**
 * Whether the connection broke. Without a word on it a status of 0 says so; a browser also has it for what it gave up
 * by itself, and then says why.
 */
export function isNetworkError(response: RawEntry['response']): boolean {
  const error = errorText(response)
  return error === null ? response.status <= 0 : networkErrors.test(error)
}

/** In the words of the browser, such as `net::ERR_EMPTY_RESPONSE`. */
function errorText({ _error, _failureText }: RawEntry['response']): string | null {
  return _error || _failureText || null
}

const networkErrors =
  /ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|HTTP2_PROTOCOL_ERROR|SOCKET_NOT_CONNECTED)|socket hang up/

/** What a browser asks by itself, before it lets a page of another origin ask. */
function isPreflight(
  { method, headers }: RawEntry['request'],
  { _resourceType }: Pick<RawEntry, '_resourceType'>,
): boolean {
  if (_resourceType === 'preflight') return true
  const asks = headers.some(({ name }) => /^access-control-request-method$/i.test(name))
  return method === 'OPTIONS' && asks
}
