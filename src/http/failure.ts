import { Failure, type FailureName, type FailureNotes } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { toWire } from '../wire.ts'
import type { Answer } from './call.ts'
import { empty, json, page } from './make-answer.ts'

/** The body of an error, in its usual form (observed §1). */
export interface ApiError {
  /** validation_error, invalid_request, authentication_error, throttled_error or server_error */
  type: string
  code: string
  detail: string
  /** The field at fault; null for an error of no single field */
  attr: string | null
}

interface Form {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly detail: string
}

/**
 * How each failure looks on the wire (observed §1). `type` groups them the way the service does: 401 and
 * 403 share one.
 */
export const failures: Readonly<Record<FailureName, Form>> = {
  not_acceptable: form(
    406,
    'invalid_request',
    'not_acceptable',
    'Could not satisfy the request Accept header.',
  ),
  not_authenticated: form(
    401,
    'authentication_error',
    'not_authenticated',
    'Authentication credentials were not provided.',
  ),
  authentication_failed: form(
    401,
    'authentication_error',
    'authentication_failed',
    'Incorrect authentication credentials.',
  ),
  permission_denied: form(
    403,
    'authentication_error',
    'permission_denied',
    'You do not have permission to perform this action.',
  ),
  throttled: form(429, 'throttled_error', 'throttled', 'Request was throttled.'),
  method_not_allowed: form(405, 'invalid_request', 'method_not_allowed', 'Method not allowed.'),
  not_found: form(404, 'invalid_request', 'not_found', 'Not found.'),
  parse_error: form(400, 'invalid_request', 'parse_error', 'Malformed request.'),
  unsupported_media_type: form(
    415,
    'invalid_request',
    'unsupported_media_type',
    'Unsupported media type in request.',
  ),
  body_too_large: form(413, 'invalid_request', 'request_too_large', 'Request body is too large.'),
  validation_error: form(400, 'validation_error', 'invalid_input', 'Invalid input.'),
  server_error: form(500, 'server_error', 'error', 'A server error occurred.'),
}

/** The answer to a refusal, in the form that the policy `errors.body` says. */
export function toAnswer(refusal: Failure, settings: PolicySettings): Answer {
  const { failure, detail, notes } = seen(refusal, settings)
  const known = failures[failure]
  const envelope: ApiError = {
    type: known.type,
    code: notes.code ?? known.code,
    detail: detail ?? known.detail,
    attr: notes.attr ?? null,
  }
  const status = statusOf(failure, settings)
  const headers = headersOf(notes, status, settings)
  switch (settings['errors.body']) {
    case 'envelope':
      return json(status, toWire(envelope), headers)
    case 'detail':
      return json(status, toWire({ detail: envelope.detail }), headers)
    case 'list':
      return json(status, toWire([envelope]), headers)
    case 'html':
      return page(status, headers)
    case 'empty':
      return empty(status, headers)
  }
}

/** By policy nothing tells what a key may not see from what is not there. */
function seen(refusal: Failure, settings: PolicySettings): Failure {
  const isHidden = refusal.notes.ofKey && settings['keys.insufficient.status'] === '404'
  return isHidden ? new Failure('not_found') : refusal
}

function statusOf(failure: FailureName, settings: PolicySettings): number {
  const { status } = failures[failure]
  return status === 401 ? Number(settings['keys.missing.status']) : status
}

function headersOf(
  notes: FailureNotes,
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

function form(status: number, type: string, code: string, detail: string): Form {
  return { status, type, code, detail }
}
