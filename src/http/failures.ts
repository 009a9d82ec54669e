import type { Issue } from '../utils/errors.ts'

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
  /** Replaces the usual status of the failure: in the admin API, in proxies, and if a server has no room. */
  readonly status?: number
  /** Replaces the usual code of the failure. Each validation rule has its own. */
  readonly code?: string
  /** The key lacks a permission. The setting `keys.insufficient.status` decides whether that is a 403 or a 404. */
  readonly isKeyInsufficient?: true
  /** In seconds. */
  readonly retryAfter?: number
  /** Whether the response has no body, whatever the setting `errors.body` says. */
  readonly hasNoBody?: boolean
  /** Says why, in a sentence for people. By default it is the text for the client. Called after the response is made. */
  readonly reason?: (() => string) | undefined
  /** The check that refused the request, if it is not that of the failure. */
  readonly check?: Check
  /** Whether the row of the path is not there either. */
  readonly isRowMissing?: boolean
  /** The nearest valid value of the field. */
  readonly nearest?: string | undefined
  /** A change of the request that does what was meant. The fields are added to its body. */
  readonly instead?: { readonly method?: string; readonly fields: object }
  /** The problems of what the admin API received. The detail lists the same ones as text. */
  readonly issues?: readonly Issue[]
}

/** The checks of a request, in the order in which they run. */
export const checks = [
  'accept',
  'path',
  'key',
  'scope',
  'body',
  'parent',
  'membership',
  'rate',
  'method',
  'row',
  'fields',
] as const

type Check = (typeof checks)[number]

/**
 * Thrown to refuse a request. `failureResponse` converts it to a response. It is not an Error, because it is an expected outcome,
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
}

export function notFound(reason: () => string, check?: Check, detail?: string): Failure {
  return new Failure('not_found', detail, { reason, ...(check && { check }) })
}

/** Refuses what a server has no memory for, as one whose disk is full. By default it is a write. */
export function noRoom(
  what = 'Rows and rules of faults',
  cure = 'Reset a world, or delete rows, rules or sandboxes.',
): Failure {
  const detail = `${what} take all the memory that they may have. ${cure}`
  return new Failure('server_error', detail, { status: 507 })
}

/** The body of an error response, unless the setting `errors.body` sets another form. */
export interface ApiError {
  /** validation_error, invalid_request, authentication_error, throttled_error or server_error */
  type: string
  code: string
  detail: string
  /** The invalid field; null if the error is not about a single field */
  attr: string | null
}

/** As in the service's source or framework, but for 413. 401 and 403 share a type. The code is the name, unless it is given. */
export const failureFormats: Readonly<Record<FailureName, FailureFormat>> = {
  not_acceptable: {
    check: 'accept',
    status: 406,
    type: 'invalid_request',
    detail: 'Could not satisfy the request Accept header.',
  },
  not_authenticated: {
    check: 'key',
    status: 401,
    type: 'authentication_error',
    detail: 'Authentication credentials were not provided.',
  },
  authentication_failed: {
    check: 'key',
    status: 401,
    type: 'authentication_error',
    detail: 'Incorrect authentication credentials.',
  },
  permission_denied: {
    check: 'scope',
    status: 403,
    type: 'authentication_error',
    detail: 'You do not have permission to perform this action.',
  },
  throttled: {
    check: 'rate',
    status: 429,
    type: 'throttled_error',
    detail: 'Request was throttled.',
  },
  method_not_allowed: {
    check: 'method',
    status: 405,
    type: 'invalid_request',
    detail: 'Method not allowed.',
  },
  not_found: { check: 'row', status: 404, type: 'invalid_request', detail: 'Not found.' },
  parse_error: {
    check: 'body',
    status: 400,
    type: 'invalid_request',
    detail: 'Malformed request.',
  },
  unsupported_media_type: {
    check: 'body',
    status: 415,
    type: 'invalid_request',
    detail: 'Unsupported media type in request.',
  },
  body_too_large: {
    check: 'body',
    status: 413,
    type: 'invalid_request',
    detail: 'Request body is too large.',
    code: 'request_too_large',
  },
  validation_error: {
    check: 'fields',
    status: 400,
    type: 'validation_error',
    detail: 'Invalid input.',
    code: 'invalid_input',
  },
  server_error: {
    check: 'fields',
    status: 500,
    type: 'server_error',
    detail: 'A server error occurred.',
    code: 'error',
  },
}

interface FailureFormat {
  readonly check: Check
  readonly status: number
  readonly type: string
  readonly detail: string
  readonly code?: string
}

export function toApiError({ name, detail, details }: Failure): ApiError {
  const { type, code = name, detail: usual } = failureFormats[name]
  return { type, code: details.code ?? code, detail: detail ?? usual, attr: details.attr ?? null }
}

/** Says why a request was refused. @example 'body.deleted: Must be a valid boolean' */
export function describeFailure(failure: Failure): string {
  const reason = failure.details.reason?.()
  if (reason !== undefined) return reason
  const { attr, detail } = toApiError(failure)
  const sentence = detail.replace(/\.$/, '')
  return attr === null ? sentence : `body.${attr}: ${sentence}`
}

/** Quotes what a client sent. Not shortened: a part of a key would not be masked. @example quote('abc') // '`abc`' */
export function quote(text: string): string {
  return `\`${text}\``
}
