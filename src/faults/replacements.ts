import { Failure, type FailureDetails } from '../errors.ts'
import type { ApiRequest, ApiResponse } from '../http/call.ts'
import { throttledFailure } from '../http/enter.ts'
import { responseWithoutBody } from '../http/make-answer.ts'
import { JsonText, toJsonText } from '../wire.ts'
import type { FaultEffect } from './rule.ts'

/** The refusal that an effect asks for by name, in the words of the service. */
export function effectFailure(
  { error, detail, retry_after_s }: FaultEffect,
  call: ApiRequest,
): Failure {
  const name = error as NonNullable<typeof error>
  const notes: FailureDetails = retry_after_s === undefined ? {} : { retryAfter: retry_after_s }
  return new Failure(name, detail ?? defaultDetail(name, call, retry_after_s), notes)
}

/** What the service says to such a request; undefined where it always says the same. */
function defaultDetail(
  name: Failure['name'],
  call: ApiRequest,
  seconds: number | undefined,
): string | undefined {
  if (name === 'throttled' && seconds !== undefined) return throttledFailure(seconds).detail
  if (name === 'method_not_allowed') return `Method "${call.method}" not allowed.`
  return undefined
}

/** The answer that an effect spells out. */
export function effectResponse({ status = 200, headers = {}, body }: FaultEffect): ApiResponse {
  const given = Object.fromEntries(new Headers(headers))
  if (body === undefined) return responseWithoutBody(status, given)
  const isText = typeof body === 'string'
  const { text, bytes } = isText ? new JsonText(body) : toJsonText(body)
  return {
    status,
    headers: {
      'content-type': isText ? 'text/plain;charset=utf-8' : 'application/json',
      ...given,
      'content-length': String(bytes),
    },
    text,
    ascii: bytes === text.length,
  }
}
