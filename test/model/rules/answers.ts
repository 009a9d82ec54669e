import type { ApiResponse } from '../request.ts'
import type { Json } from '../rows.ts'

/** A request that is refused, thrown by the rules. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Json

  constructor(status: number, type: string, code: string, detail: string, attr: string | null) {
    super(detail)
    this.status = status
    this.body = { type, code, detail, attr }
  }
}

export const notAuthenticated = (): Refusal =>
  new Refusal(
    401,
    'authentication_error',
    'not_authenticated',
    'Authentication credentials were not provided.',
    null,
  )

const failed = (detail: string): Refusal =>
  new Refusal(401, 'authentication_error', 'authentication_failed', detail, null)

export const invalidKey = (place: string): Refusal =>
  failed(`Personal API key found in request ${place} is invalid.`)

export const denied = (detail = 'You do not have permission to perform this action.'): Refusal =>
  new Refusal(403, 'authentication_error', 'permission_denied', detail, null)

export const notFound = (detail = 'Not found.'): Refusal =>
  new Refusal(404, 'invalid_request', 'not_found', detail, null)

export const notAllowed = (method: string, advice = ''): Refusal =>
  new Refusal(
    405,
    'invalid_request',
    'method_not_allowed',
    `Method "${method}" not allowed.${advice}`,
    null,
  )

export const notAcceptable = (): Refusal =>
  new Refusal(
    406,
    'invalid_request',
    'not_acceptable',
    'Could not satisfy the request Accept header.',
    null,
  )

export const throttled = (): Refusal =>
  new Refusal(429, 'throttled_error', 'throttled', 'Request was throttled.', null)

export const serverError = (): Refusal =>
  new Refusal(500, 'server_error', 'error', 'A server error occurred.', null)

export const malformed = (message: string): Refusal =>
  new Refusal(400, 'invalid_request', 'parse_error', `JSON parse error - ${message}`, null)

export const tooLarge = (): Refusal =>
  new Refusal(413, 'invalid_request', 'request_too_large', 'Request body is too large.', null)

export const wrongMediaType = (type: string): Refusal =>
  new Refusal(
    415,
    'invalid_request',
    'unsupported_media_type',
    `Unsupported media type "${type}" in request.`,
    null,
  )

export const invalid = (attr: string | null, detail: string, code = 'invalid_input'): Refusal =>
  new Refusal(400, 'validation_error', code, detail, attr)

/** A response with JSON, or without a body. */
export function reply(status: number, body?: Json, allow: string | null = null): ApiResponse {
  const type = status === 204 ? null : 'application/json'
  return { status, allow, type, location: null, authenticate: null, body }
}
