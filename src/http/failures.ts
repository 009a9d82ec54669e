import type { PolicySettings } from '../policies/policies.ts'
import { toJsonText } from '../utils/json-text.ts'
import type { ApiResponse } from './messages.ts'
import { htmlResponse, jsonResponse, responseWithoutBody } from './responses.ts'

/** Every way in which the service refuses a request. `http/failure.ts` says how each looks on the wire. */
export type FailureName =
  | 'not_acceptable'
  | 'not_authenticated'
  | 'authentication_failed'
  | 'permission_denied'
  | 'throttled'
  | 'method_not_allowed'
  | 'not_found'
  | 'parse_error'
  | 'unsupported_media_type'
  | 'body_too_large'
  | 'validation_error'
  | 'server_error'

/** What a refusal may say beyond its name. */
export interface FailureDetails {
  /** The field at fault; nested names are joined by `__`. */
  readonly attr?: string
  /** Takes the place of the failure's own code: each rule of validation has one. */
  readonly code?: string
  /** The key may not do it: the policy `keys.insufficient.status` says how that looks. */
  readonly isKeyInsufficient?: true
  /** Seconds after which the same request would be let through. */
  readonly retryAfter?: number
}

/**
 * A refusal in the domain's words, thrown anywhere below `answer`. It is no Error: a refusal is an
 * ordinary answer, and collecting a stack would cost more than the rest of the request.
 *
 * @example throw new Failure('not_found')
 * @example throw new Failure('validation_error', 'This field may not be null.', { attr: 'content', code: 'null' })
 */
export class Failure {
  readonly name: FailureName
  /** What the caller reads; by default the sentence the service uses for this failure. */
  readonly detail: string | undefined
  readonly details: FailureDetails

  constructor(failure: FailureName, detail?: string, notes: FailureDetails = {}) {
    this.name = failure
    this.detail = detail
    this.details = notes
  }
}

/** The body of an error, in its usual form (observed §1). */
export interface ApiError {
  /** validation_error, invalid_request, authentication_error, throttled_error or server_error */
  type: string
  code: string
  detail: string
  /** The field at fault; null for an error of no single field */
  attr: string | null
}

interface FailureFormat {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly detail: string
}

/**
 * How each failure looks on the wire (observed §1). `type` groups them the way the service does: 401 and
 * 403 share one.
 */
export const failureFormats: Readonly<Record<FailureName, FailureFormat>> = {
  not_acceptable: failureFormat(
    406,
    'invalid_request',
    'not_acceptable',
    'Could not satisfy the request Accept header.',
  ),
  not_authenticated: failureFormat(
    401,
    'authentication_error',
    'not_authenticated',
    'Authentication credentials were not provided.',
  ),
  authentication_failed: failureFormat(
    401,
    'authentication_error',
    'authentication_failed',
    'Incorrect authentication credentials.',
  ),
  permission_denied: failureFormat(
    403,
    'authentication_error',
    'permission_denied',
    'You do not have permission to perform this action.',
  ),
  throttled: failureFormat(429, 'throttled_error', 'throttled', 'Request was throttled.'),
  method_not_allowed: failureFormat(
    405,
    'invalid_request',
    'method_not_allowed',
    'Method not allowed.',
  ),
  not_found: failureFormat(404, 'invalid_request', 'not_found', 'Not found.'),
  parse_error: failureFormat(400, 'invalid_request', 'parse_error', 'Malformed request.'),
  unsupported_media_type: failureFormat(
    415,
    'invalid_request',
    'unsupported_media_type',
    'Unsupported media type in request.',
  ),
  body_too_large: failureFormat(
    413,
    'invalid_request',
    'request_too_large',
    'Request body is too large.',
  ),
  validation_error: failureFormat(400, 'validation_error', 'invalid_input', 'Invalid input.'),
  server_error: failureFormat(500, 'server_error', 'error', 'A server error occurred.'),
}

/** The answer to a refusal, in the form that the policy `errors.body` says. */
export function failureResponse(refusal: Failure, settings: PolicySettings): ApiResponse {
  const { name, detail, details } = hideInsufficientKey(refusal, settings)
  const known = failureFormats[name]
  const envelope: ApiError = {
    type: known.type,
    code: details.code ?? known.code,
    detail: detail ?? known.detail,
    attr: details.attr ?? null,
  }
  const status = failureStatus(name, settings)
  const headers = failureHeaders(details, status, settings)
  switch (settings['errors.body']) {
    case 'envelope':
      return jsonResponse(status, toJsonText(envelope), headers)
    case 'detail':
      return jsonResponse(status, toJsonText({ detail: envelope.detail }), headers)
    case 'list':
      return jsonResponse(status, toJsonText([envelope]), headers)
    case 'html':
      return htmlResponse(status, headers)
    case 'empty':
      return responseWithoutBody(status, headers)
  }
}

/** By policy nothing tells what a key may not see from what is not there. */
function hideInsufficientKey(refusal: Failure, settings: PolicySettings): Failure {
  const isHidden =
    refusal.details.isKeyInsufficient && settings['keys.insufficient.status'] === '404'
  return isHidden ? new Failure('not_found') : refusal
}

function failureStatus(failure: FailureName, settings: PolicySettings): number {
  const { status } = failureFormats[failure]
  return status === 401 ? Number(settings['keys.missing.status']) : status
}

function failureHeaders(
  notes: FailureDetails,
  status: number,
  settings: PolicySettings,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401 && settings['keys.www_authenticate'] === 'present') {
    headers['www-authenticate'] = 'Bearer realm="api"'
  }
  if (notes.retryAfter !== undefined && settings['limits.retry_after'] === 'present') {
    headers['retry-after'] = String(notes.retryAfter)
  }
  return headers
}

function failureFormat(status: number, type: string, code: string, detail: string): FailureFormat {
  return { status, type, code, detail }
}
