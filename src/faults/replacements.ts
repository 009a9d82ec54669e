import { Failure, type FailureNotes } from '../errors.ts'
import type { Answer, Call } from '../http/call.ts'
import { throttled } from '../http/enter.ts'
import { empty } from '../http/make-answer.ts'
import { toWire, Wire } from '../wire.ts'
import type { FaultEffect } from './rule.ts'

/** The refusal that an effect asks for by name, in the words of the service. */
export function failureOf({ error, detail, retry_after_s }: FaultEffect, call: Call): Failure {
  const name = error as NonNullable<typeof error>
  const notes: FailureNotes = retry_after_s === undefined ? {} : { retryAfter: retry_after_s }
  return new Failure(name, detail ?? usualDetail(name, call, retry_after_s), notes)
}

/** What the service says to such a request; undefined where it always says the same. */
function usualDetail(
  name: Failure['failure'],
  call: Call,
  seconds: number | undefined,
): string | undefined {
  if (name === 'throttled' && seconds !== undefined) return throttled(seconds).detail
  if (name === 'method_not_allowed') return `Method "${call.method}" not allowed.`
  return undefined
}

/** The answer that an effect spells out. */
export function answerOf({ status = 200, headers = {}, body }: FaultEffect): Answer {
  const given = Object.fromEntries(new Headers(headers))
  if (body === undefined) return empty(status, given)
  const isText = typeof body === 'string'
  const { text, bytes } = isText ? new Wire(body) : toWire(body)
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
