import { Failure, type FailureDetails } from '../../http/failures.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { networkErrorResponse, responseWithoutBody } from '../../http/messages.ts'
import { throttledFailure } from '../../http/throttle.ts'
import { JsonText, toJsonText } from '../../utils/json-text.ts'
import { wait } from '../../utils/wait.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { FaultContext, MatchedFault } from '../hooks.ts'
import { type BodyPacing, streamBody } from './body-stream.ts'
import { type FaultEffect, type FaultPhase, mainEffect } from './rule.ts'

interface AppliedFaultOptions {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** Milliseconds */
  readonly delay: number
  /** Returns the rows of a stale read. Called after the delay, since the world can be reset in the meantime */
  readonly staleTables: () => Tables
}

/**
 * A fault that applies to one request. If the client disconnects during a delay before the endpoint, the endpoint never
 * runs.
 */
export class AppliedFault implements MatchedFault {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  readonly #delay: number
  readonly #staleTables: () => Tables

  constructor({ id, phase, effect, delay, staleTables }: AppliedFaultOptions) {
    this.id = id
    this.phase = phase
    this.effect = effect
    this.#delay = delay
    this.#staleTables = staleTables
  }

  apply(context: FaultContext): ApiResponse | Promise<ApiResponse> {
    if (this.phase === 'after-commit') {
      const response = context.runEndpoint()
      return this.#afterDelay(context, () => this.#respond(context, () => response))
    }
    if (this.phase === 'before') {
      return this.#afterDelay(context, () => this.#respond(context, () => context.runEndpoint()))
    }
    const isPause = mainEffect(this.effect) === 'delay_ms'
    return isPause
      ? this.#respondSlowly(context)
      : this.#afterDelay(context, () => this.#respondSlowly(context))
  }

  /** Runs a function after the delay. Without a delay, no timer is used. */
  #afterDelay(
    { request }: FaultContext,
    respond: () => ApiResponse,
  ): ApiResponse | Promise<ApiResponse> {
    if (this.#delay === 0) return respond()
    const waiting = wait(this.#delay, request.onAbort?.bind(request))
    return waiting.then((hasPassed) => (hasPassed ? respond() : networkErrorResponse))
  }

  /** @param runEndpoint the response of the service, for an effect that does not replace it */
  #respond(context: FaultContext, runEndpoint: () => ApiResponse): ApiResponse {
    switch (mainEffect(this.effect)) {
      case 'error':
        return context.reject(effectFailure(this.effect, context.request))
      case 'status':
        return effectResponse(this.effect)
      case 'drop':
        return networkErrorResponse
      case 'stale':
        return context.respondFrom(this.#staleTables())
      default:
        return runEndpoint()
    }
  }

  /** The response of the service, with a body that is cut, slow or paused. */
  #respondSlowly(context: FaultContext): ApiResponse {
    const response = context.runEndpoint()
    if (response.text === '' || response.stream) return response
    const { request } = context
    const pacing = (length: number) => this.#pacing(length)
    const stream = streamBody(response.text, pacing, request.onAbort?.bind(request))
    return { ...response, stream }
  }

  #pacing(length: number): BodyPacing {
    const { cut_bytes, slow_bytes_per_s, drop } = this.effect
    const half = Math.ceil(length / 2)
    const isPause = mainEffect(this.effect) === 'delay_ms' && this.#delay > 0
    return {
      cut: drop ? half : cut_bytes,
      bytesPerSecond: slow_bytes_per_s,
      ...(isPause && { pause: { milliseconds: this.#delay, after: half } }),
    }
  }
}

/** The named error of the service. */
function effectFailure(
  { error, detail, retry_after_s }: FaultEffect,
  request: ApiRequest,
): Failure {
  const name = error as NonNullable<typeof error>
  const details: FailureDetails = retry_after_s === undefined ? {} : { retryAfter: retry_after_s }
  return new Failure(name, detail ?? defaultDetail(name, request, retry_after_s), details)
}

/** The sentence of an error that depends on the request. Undefined for the others, which have a fixed sentence. */
function defaultDetail(
  name: Failure['name'],
  request: ApiRequest,
  seconds: number | undefined,
): string | undefined {
  if (name === 'throttled' && seconds !== undefined) return throttledFailure(seconds).detail
  if (name === 'method_not_allowed') return `Method "${request.method}" not allowed.`
  return undefined
}

/** A response with the status, headers and body of an effect. */
function effectResponse({ status = 200, headers = {}, body }: FaultEffect): ApiResponse {
  const customHeaders = Object.fromEntries(new Headers(headers))
  if (body === undefined) return responseWithoutBody(status, customHeaders)
  const isText = typeof body === 'string'
  const { text, bytes } = isText ? new JsonText(body) : toJsonText(body)
  return {
    status,
    headers: {
      'content-type': isText ? 'text/plain;charset=utf-8' : 'application/json',
      ...customHeaders,
      'content-length': String(bytes),
    },
    text,
    ascii: bytes === text.length,
  }
}
