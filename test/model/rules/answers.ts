import type { ApiResponse } from '../request.ts'
import type { Json } from '../rows.ts'

/** A request that is refused, thrown by the rules. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Json

  constructor(
    status: number,
    type: string,
    code: string,
    detail: string,
    attr: string | null = null,
  ) {
    super(detail)
    this.status = status
    this.body = { type, code, detail, attr }
  }
}

const unauthenticated = (code: string, detail: string): Refusal =>
  new Refusal(401, 'authentication_error', code, detail)

export const notAuthenticated = (): Refusal =>
  unauthenticated('not_authenticated', 'Authentication credentials were not provided.')

export const invalidKey = (place: string): Refusal =>
  unauthenticated('authentication_failed', `Personal API key found in request ${place} is invalid.`)

export const denied = (detail = 'You do not have permission to perform this action.'): Refusal =>
  new Refusal(403, 'authentication_error', 'permission_denied', detail)

const invalidRequest = (status: number, code: string, detail: string): Refusal =>
  new Refusal(status, 'invalid_request', code, detail)

export const notFound = (detail = 'Not found.'): Refusal => invalidRequest(404, 'not_found', detail)

export const notAllowed = (method: string, advice = ''): Refusal =>
  invalidRequest(405, 'method_not_allowed', `Method "${method}" not allowed.${advice}`)

export const notAcceptable = (): Refusal =>
  invalidRequest(406, 'not_acceptable', 'Could not satisfy the request Accept header.')

export const malformed = (message: string): Refusal =>
  invalidRequest(400, 'parse_error', `JSON parse error - ${message}`)

export const tooLarge = (): Refusal =>
  invalidRequest(413, 'request_too_large', 'Request body is too large.')

export const wrongMediaType = (type: string): Refusal =>
  invalidRequest(415, 'unsupported_media_type', `Unsupported media type "${type}" in request.`)

export const serverError = (): Refusal =>
  new Refusal(500, 'server_error', 'error', 'A server error occurred.')

export const invalid = (attr: string | null, detail: string, code = 'invalid_input'): Refusal =>
  new Refusal(400, 'validation_error', code, detail, attr)

/** A response with JSON, or without a body. */
export function reply(status: number, body?: Json, allow: string | null = null): ApiResponse {
  const type = status === 204 ? null : 'application/json'
  return { status, allow, type, location: null, authenticate: null, body }
}
