import { Failure, type FailureDetails } from '../../http/failures.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { networkErrorResponse, responseWithoutBody } from '../../http/responses.ts'
import { throttledFailure } from '../../http/throttle.ts'
import { JsonText, toJsonText } from '../../utils/json-text.ts'
import { wait } from '../../utils/wait.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { FaultContext, MatchedFault } from '../hooks.ts'
import { type BodyPacing, streamBody } from './body-stream.ts'
import { type FaultEffect, type FaultPhase, mainEffect } from './rule.ts'

/** What is settled of a fault when it strikes. */
export interface AppliedFaultOptions {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** Milliseconds. */
  readonly delay: number
  /** The rows that a stale read is answered from: looked up when it is, since a reset may come before. */
  readonly staleTables: () => Tables
}

/** A fault that strikes one request. A caller who goes away while it waits ends the wait: before the commit, nothing is carried out. */
export class AppliedFault implements MatchedFault {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  readonly #delay: number
  readonly #past: () => Tables

  constructor({ id, phase, effect, delay, staleTables }: AppliedFaultOptions) {
    this.id = id
    this.phase = phase
    this.effect = effect
    this.#delay = delay
    this.#past = staleTables
  }

  apply(context: FaultContext): ApiResponse | Promise<ApiResponse> {
    const isPause = this.phase === 'mid-body' && mainEffect(this.effect) === 'delay_ms'
    if (this.phase === 'after-commit') {
      const response = context.runEndpoint()
      return this.#later(context, () => this.#replace(context, () => response))
    }
    if (isPause) return this.#spread(context)
    return this.#later(context, () =>
      this.phase === 'mid-body'
        ? this.#spread(context)
        : this.#replace(context, () => context.runEndpoint()),
    )
  }

  /** After the delay, where there is one: without it no timer is used. */
  #later({ request }: FaultContext, next: () => ApiResponse): ApiResponse | Promise<ApiResponse> {
    if (this.#delay === 0) return next()
    const isThere = wait(this.#delay, request.onAbort?.bind(request))
    return isThere.then((waited) => (waited ? next() : networkErrorResponse))
  }

  /** The answer that takes the place of the service's, or that one where it is only late. */
  #replace(context: FaultContext, own: () => ApiResponse): ApiResponse {
    switch (mainEffect(this.effect)) {
      case 'error':
        return context.reject(effectFailure(this.effect, context.request))
      case 'status':
        return effectResponse(this.effect)
      case 'drop':
        return networkErrorResponse
      case 'stale':
        return context.respondFrom(this.#past())
      default:
        return own()
    }
  }

  /** The service's answer, with a body that breaks, crawls or pauses; one without a body is as it is. */
  #spread(context: FaultContext): ApiResponse {
    const response = context.runEndpoint()
    if (response.text === '' || response.stream) return response
    const { cut_bytes, slow_bytes_per_s, drop } = this.effect
    const isPause = mainEffect(this.effect) === 'delay_ms' && this.#delay > 0
    const course = (length: number): BodyPacing => {
      const half = Math.ceil(length / 2)
      return {
        cut: drop ? half : cut_bytes,
        bytesPerSecond: slow_bytes_per_s,
        ...(isPause && { pause: { milliseconds: this.#delay, after: half } }),
      }
    }
    const { request } = context
    return {
      ...response,
      stream: streamBody(response.text, course, request.onAbort?.bind(request)),
    }
  }
}

/** The refusal that an effect asks for by name, in the words of the service. */
function effectFailure(
  { error, detail, retry_after_s }: FaultEffect,
  request: ApiRequest,
): Failure {
  const name = error as NonNullable<typeof error>
  const notes: FailureDetails = retry_after_s === undefined ? {} : { retryAfter: retry_after_s }
  return new Failure(name, detail ?? defaultDetail(name, request, retry_after_s), notes)
}

/** What the service says to such a request; undefined where it always says the same. */
function defaultDetail(
  name: Failure['name'],
  request: ApiRequest,
  seconds: number | undefined,
): string | undefined {
  if (name === 'throttled' && seconds !== undefined) return throttledFailure(seconds).detail
  if (name === 'method_not_allowed') return `Method "${request.method}" not allowed.`
  return undefined
}

/** The answer that an effect spells out. */
function effectResponse({ status = 200, headers = {}, body }: FaultEffect): ApiResponse {
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
