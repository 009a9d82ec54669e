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
