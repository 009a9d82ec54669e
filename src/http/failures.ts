import type { Issue } from '../utils/usage-error.ts'

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
  /** The key lacks a permission. The setting `keys.insufficient.status` decides whether that is a 403 or a 404. */
  readonly isKeyInsufficient?: true
  /** In seconds. */
  readonly retryAfter?: number
  /** Whether the response has no body, whatever the setting `errors.body` says. */
  readonly hasNoBody?: boolean
  /** Why the request is refused. By default the name of the failure says it. */
  readonly because?: Because | undefined
  /** The problems of a body that the control API received. The detail lists the same ones as text. */
  readonly issues?: readonly Issue[]
}

/**
 * Why a check refused a request: what the check knew, as JSON without keys. The journal has a sentence for each id, and
 * the order of the checks.
 */
export type Because =
  | { [Name in FailureName]: { readonly id: Name } }[FailureName]
  | { readonly id: 'format.unknown'; readonly format: string }
  | { readonly id: 'path.unknown' }
  | { readonly id: 'key.inactive' }
  | { readonly id: 'token.unknown' }
  | {
      readonly id: 'scope.missing'
      readonly required: string
      readonly held: readonly string[] | null
    }
  | { readonly id: 'scope.refused'; readonly held: readonly string[] | null }
  | {
      readonly id: 'key.restricted'
      readonly projects: readonly number[]
      readonly organizations: readonly string[]
    }
  | { readonly id: 'member.missing' }
  | { readonly id: 'access.level'; readonly level: number }
  | { readonly id: 'parent.missing'; readonly kind: 'project' | 'organization' }
  | { readonly id: 'id.invalid' }
  /** `parent` and `owner`: the project or organization of the path, and the one that has the row */
  | {
      readonly id: 'row.missing'
      readonly parent: number | string
      readonly owner?: number | string | undefined
    }
  | { readonly id: 'row.deleted' }
  | { readonly id: 'row.unmatched' }
  | { readonly id: 'row.foreign' }
  | { readonly id: 'rows.none' }
  | { readonly id: 'delete.refused' }
  | { readonly id: 'plugin.global' }
  | { readonly id: 'json.invalid'; readonly message: string }
  | { readonly id: 'body.type' }
  | { readonly id: 'choice.unknown'; readonly allowed: readonly string[] }
  | { readonly id: 'text.long'; readonly maximum: number }
  | { readonly id: 'url.missing' }
  /** `input`: what crashes the live service, such as `the plugin has no url` */
  | { readonly id: 'service.crash'; readonly input: string }

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
}

export function notFound(because: Because, detail?: string): Failure {
  return new Failure('not_found', detail, { because })
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

/** As read in the source of the live service. 401 and 403 share a type. The code is the name, unless it is given. */
export const failureFormats: Readonly<Record<FailureName, FailureFormat>> = {
  not_acceptable: {
    status: 406,
    type: 'invalid_request',
    detail: 'Could not satisfy the request Accept header.',
  },
  not_authenticated: {
    status: 401,
    type: 'authentication_error',
    detail: 'Authentication credentials were not provided.',
  },
  authentication_failed: {
    status: 401,
    type: 'authentication_error',
    detail: 'Incorrect authentication credentials.',
  },
  permission_denied: {
    status: 403,
    type: 'authentication_error',
    detail: 'You do not have permission to perform this action.',
  },
  throttled: { status: 429, type: 'throttled_error', detail: 'Request was throttled.' },
  method_not_allowed: { status: 405, type: 'invalid_request', detail: 'Method not allowed.' },
  not_found: { status: 404, type: 'invalid_request', detail: 'Not found.' },
  parse_error: { status: 400, type: 'invalid_request', detail: 'Malformed request.' },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request',
    detail: 'Unsupported media type in request.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request',
    detail: 'Request body is too large.',
    code: 'request_too_large',
  },
  validation_error: {
    status: 400,
    type: 'validation_error',
    detail: 'Invalid input.',
    code: 'invalid_input',
  },
  server_error: {
    status: 500,
    type: 'server_error',
    detail: 'A server error occurred.',
    code: 'error',
  },
}

interface FailureFormat {
  readonly status: number
  readonly type: string
  readonly detail: string
  readonly code?: string
}

/** Describes a failure as the body of an error response. */
export function toApiError({ name, detail, details }: Failure): ApiError {
  const { type, code = name, detail: usual } = failureFormats[name]
  return { type, code: details.code ?? code, detail: detail ?? usual, attr: details.attr ?? null }
}
