import type { Reply } from '../transports/client.ts'

export function refusal(
  status: number,
  type: string,
  code: string,
  detail: string,
  attr: string | null = null,
): Reply {
  return { status, body: { type, code, detail, attr } }
}

export function unauthenticated(detail?: string): Reply {
  const code = detail === undefined ? 'not_authenticated' : 'authentication_failed'
  const message = detail ?? 'Authentication credentials were not provided.'
  return refusal(401, 'authentication_error', code, message)
}

/** The response to a key that the service does not know. */
export function invalidKey(place = 'Authorization header'): Reply {
  return unauthenticated(`Personal API key found in request ${place} is invalid.`)
}

export function forbidden(detail = 'You do not have permission to perform this action.'): Reply {
  return refusal(403, 'authentication_error', 'permission_denied', detail)
}

export function notFound(detail = 'Not found.', attr: string | null = null): Reply {
  return refusal(404, 'invalid_request', 'not_found', detail, attr)
}

export function notAcceptable(): Reply {
  const detail = 'Could not satisfy the request Accept header.'
  return refusal(406, 'invalid_request', 'not_acceptable', detail)
}

export function tooLarge(): Reply {
  return refusal(413, 'invalid_request', 'request_too_large', 'Request body is too large.')
}

/** @param message of Python's parser */
export function malformed(message: string): Reply {
  return refusal(400, 'invalid_request', 'parse_error', `JSON parse error - ${message}`)
}

export function wrongMediaType(type: string): Reply {
  const detail = `Unsupported media type "${type}" in request.`
  return refusal(415, 'invalid_request', 'unsupported_media_type', detail)
}

export function throttled(wait: string): Reply {
  const detail = `Request was throttled. Expected available in ${wait}.`
  return refusal(429, 'throttled_error', 'throttled', detail)
}

/** @param advice what follows the sentence */
export function notAllowed(method: string, advice = ''): Reply {
  const detail = `Method "${method}" not allowed.${advice}`
  return refusal(405, 'invalid_request', 'method_not_allowed', detail)
}

export function invalid(attr: string | null, code: string, detail: string): Reply {
  return refusal(400, 'validation_error', code, detail, attr)
}

/** The response to a request that fails in the service. */
export function crashed(): Reply {
  return refusal(500, 'server_error', 'error', 'A server error occurred.')
}

/** The response of the live profile to a key with scopes, for each of the eight other operations. */
export function unsupported(): Reply {
  return forbidden('This action does not support Personal API Key access')
}
