import type { PolicySettings } from '../policies/policies.ts'
import { toJsonText } from '../utils/json-text.ts'
import { type ApiResponse, htmlResponse, jsonResponse } from './messages.ts'

/** The reasons for which the service refuses a request. */
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

export interface FailureDetails {
  /** The invalid field. Nested names are joined by `__`. */
  readonly attr?: string
  /** Replaces the usual code of the failure. Each validation rule has its own. */
  readonly code?: string
  /** The key lacks a permission. The policy `keys.insufficient.status` decides whether that is a 403 or a 404. */
  readonly isKeyInsufficient?: true
  /** In seconds. */
  readonly retryAfter?: number
  /** Whether the response has no body, whatever the policy `errors.body` says. */
  readonly hasNoBody?: true
  /** Why the request is refused. By default the name of the failure says it. */
  readonly because?: Because | undefined
}

/**
 * Why a check refused a request: what the check knew, as JSON without keys. The journal has a sentence for each id, and
 * the order of the checks.
 */
export type Because =
  | { [Name in FailureName]: { readonly id: Name } }[FailureName]
  | { readonly id: 'format.unknown'; readonly format: string }
  | { readonly id: 'path.unknown' }
  /** `isBare`: the header Authorization is a known key, without a scheme */
  | { readonly id: 'key.missing'; readonly isBare: boolean }
  /** `isWrapped`: there is a known key within the text */
  | { readonly id: 'key.unknown'; readonly place: KeyPlace; readonly isWrapped: boolean }
  | { readonly id: 'key.inactive' }
  | { readonly id: 'token.unknown' }
  | { readonly id: 'scope.missing'; readonly required: string; readonly held: readonly string[] }
  | { readonly id: 'scope.refused'; readonly held: readonly string[] | null }
  | {
      readonly id: 'key.restricted'
      readonly projects: readonly number[]
      /** Their names */
      readonly organizations: readonly string[]
    }
  | { readonly id: 'member.missing' }
  | { readonly id: 'access.level'; readonly level: number }
  | { readonly id: 'parent.missing'; readonly kind: 'project' | 'organization' }
  | { readonly id: 'id.invalid' }
  /** `owner`: the project or the organization that has the row */
  | {
      readonly id: 'row.missing'
      readonly place: string
      readonly owner?: string | undefined
    }
  | { readonly id: 'row.deleted' }
  | { readonly id: 'row.unmatched' }
  | { readonly id: 'row.foreign' }
  | { readonly id: 'rows.none' }
  | { readonly id: 'delete.refused' }
  | { readonly id: 'json.invalid'; readonly message: string }
  | { readonly id: 'body.type'; readonly type: string }
  | { readonly id: 'choice.unknown'; readonly value: string; readonly allowed: readonly string[] }
  | { readonly id: 'text.long'; readonly maximum: number }
  | { readonly id: 'url.missing' }

/** Where a request has its key. */
export type KeyPlace = 'Authorization header' | 'body' | 'query string'

/**
 * Thrown to refuse a request. `answer` converts it to a response. It is not an Error, because it is an expected outcome,
 * and collecting a stack would take longer than the rest of the request.
 */
export class Failure {
  readonly name: FailureName
  /** The text for the client. Undefined for the usual text of this failure. */
  readonly detail: string | undefined
  readonly details: FailureDetails

  constructor(name: FailureName, detail?: string, details: FailureDetails = {}) {
    this.name = name
    this.detail = detail
    this.details = details
  }

  /** Why the request is refused. */
  get because(): Because {
    return this.details.because ?? { id: this.name }
  }
}

export function notFound(because: Because, detail?: string): Failure {
  return new Failure('not_found', detail, { because })
}

/** The body of an error response, unless the policy `errors.body` sets another form. */
export interface ApiError {
  /** validation_error, invalid_request, authentication_error, throttled_error or server_error */
  type: string
  code: string
  detail: string
  /** The invalid field; null if the error is not about a single field */
  attr: string | null
}

/** The status, type, text and code of each failure, as read in the source of the live service. 401 and 403 share a type. */
const formats: Readonly<
  Record<FailureName, readonly [status: number, type: string, detail: string, code?: string]>
> = {
  not_acceptable: [406, 'invalid_request', 'Could not satisfy the request Accept header.'],
  not_authenticated: [401, 'authentication_error', 'Authentication credentials were not provided.'],
  authentication_failed: [401, 'authentication_error', 'Incorrect authentication credentials.'],
  permission_denied: [
    403,
    'authentication_error',
    'You do not have permission to perform this action.',
  ],
  throttled: [429, 'throttled_error', 'Request was throttled.'],
  method_not_allowed: [405, 'invalid_request', 'Method not allowed.'],
  not_found: [404, 'invalid_request', 'Not found.'],
  parse_error: [400, 'invalid_request', 'Malformed request.'],
  unsupported_media_type: [415, 'invalid_request', 'Unsupported media type in request.'],
  body_too_large: [413, 'invalid_request', 'Request body is too large.', 'request_too_large'],
  validation_error: [400, 'validation_error', 'Invalid input.', 'invalid_input'],
  server_error: [500, 'server_error', 'A server error occurred.', 'error'],
}

interface FailureFormat {
  readonly status: number
  readonly type: string
  readonly detail: string
  readonly code: string
}

export const failureFormats: Readonly<Record<FailureName, FailureFormat>> = Object.fromEntries(
  Object.entries(formats).map(([name, [status, type, detail, code = name]]) => [
    name,
    { status, type, detail, code },
  ]),
) as Record<FailureName, FailureFormat>

/** Describes a failure as the body of an error response. */
export function toApiError({ name, detail, details }: Failure): ApiError {
  const format = failureFormats[name]
  return {
    type: format.type,
    code: details.code ?? format.code,
    detail: detail ?? format.detail,
    attr: details.attr ?? null,
  }
}

/** Converts a failure to a response. The policy `errors.body` decides the form of the body. */
export function failureResponse(failure: Failure, settings: PolicySettings): ApiResponse {
  // By policy, a row that a key may not read looks like a missing row.
  const isHidden =
    failure.details.isKeyInsufficient && settings['keys.insufficient.status'] === '404'
  return { ...errorResponse(isHidden ? new Failure('not_found') : failure, settings), failure }
}

function errorResponse(failure: Failure, settings: PolicySettings): ApiResponse {
  const { name, details } = failure
  const envelope = toApiError(failure)
  const { status: usual } = failureFormats[name]
  const status = usual === 401 ? Number(settings['keys.missing.status']) : usual
  const headers = failureHeaders(details, status, settings)
  if (details.hasNoBody) return { status, headers, body: null }
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
      return { status, headers, body: null }
  }
}

function failureHeaders(
  { retryAfter }: FailureDetails,
  status: number,
  settings: PolicySettings,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401 && settings['keys.www_authenticate'] === 'present') {
    headers['www-authenticate'] = 'Bearer realm="api"'
  }
  if (retryAfter !== undefined && settings['limits.retry_after'] === 'present') {
    headers['retry-after'] = String(retryAfter)
  }
  return headers
}
