import * as errors from '../../support/api/errors.ts'
import type { ApiResponse } from '../request.ts'
import type { Json } from '../rows.ts'

/** A request that is refused, thrown by the rules. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Json

  constructor({ status, body }: ReturnType<typeof errors.refusal>) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body as Json
  }
}

/** A function that makes a refusal of the response that another one makes. */
const toRefusal =
  <Arguments extends readonly unknown[]>(
    respond: (...values: Arguments) => ReturnType<typeof errors.refusal>,
  ) =>
  (...values: Arguments): Refusal =>
    new Refusal(respond(...values))

export const notAuthenticated = toRefusal(errors.unauthenticated)
export const invalidKey = toRefusal(errors.invalidKey)
export const denied = toRefusal(errors.forbidden)
export const notFound = toRefusal(errors.notFound)
export const notAllowed = toRefusal(errors.notAllowed)
export const notAcceptable = toRefusal(errors.notAcceptable)
export const malformed = toRefusal(errors.malformed)
export const tooLarge = toRefusal(errors.tooLarge)
export const wrongMediaType = toRefusal(errors.wrongMediaType)
export const serverError = toRefusal(errors.crashed)
export const invalid = toRefusal((attr: string | null, detail: string, code?: string) =>
  errors.invalid(attr, code ?? 'invalid_input', detail),
)

/** A response with JSON, or without a body. */
export function reply(status: number, body?: Json, allow: string | null = null): ApiResponse {
  const type = status === 204 ? null : 'application/json'
  return { status, allow, type, location: null, authenticate: null, body }
}
