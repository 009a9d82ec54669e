import type { RawEntry } from './entry-schema.ts'

/** Why entries are skipped, as a phrase after their number: `3 to other URLs`. */
export const skipReasonTexts = {
  elsewhere: 'to other URLs',
  socket: 'over WebSocket',
  preflight: 'CORS preflights',
  cached: 'from the browser cache',
  unanswered: 'canceled by the browser',
} as const

/** Why an entry is skipped. */
export type SkipReason = keyof typeof skipReasonTexts

/** Returns why an entry below the base URL is skipped, or null for an API request that was sent and answered. */
export function skipReason({ request, response, ...entry }: RawEntry): SkipReason | null {
  if (isPreflight(request, entry)) return 'preflight'
  if (entry._fromCache) return 'cached'
  return response.status <= 0 && errorText(response) !== null && !isNetworkError(response)
    ? 'unanswered'
    : null
}

/**
 * Whether the connection broke. Browsers write status 0 for these and for requests that they canceled, and add an
 * error text to tell them apart. Without an error text, status 0 means a broken connection.
 */
export function isNetworkError(response: RawEntry['response']): boolean {
  const error = errorText(response)
  return error === null ? response.status <= 0 : networkErrors.test(error)
}

function errorText({ _error, _failureText }: RawEntry['response']): string | null {
  return _error || _failureText || null
}

const networkErrors =
  /ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|HTTP2_PROTOCOL_ERROR|SOCKET_NOT_CONNECTED)|socket hang up/

function isPreflight(
  { method, headers }: RawEntry['request'],
  { _resourceType }: Pick<RawEntry, '_resourceType'>,
): boolean {
  if (_resourceType === 'preflight') return true
  return (
    method === 'OPTIONS' &&
    headers.some(({ name }) => /^access-control-request-method$/i.test(name))
  )
}
