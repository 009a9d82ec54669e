import type { World } from '../../api/endpoints.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import { Failure, type FailureDetails } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  createNetworkError,
  isChunked,
  networkErrorResponse,
  type WrittenText,
} from '../../http/messages.ts'
import { throttledFailure } from '../../http/throttle.ts'
import { toJsonText } from '../../utils/json-text.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import type { FaultContext, MatchedFault } from '../hooks.ts'
import type { ActiveRule } from './active-rule.ts'
import { mainEffect } from './effects.ts'
import type { EffectName, FaultEffect, FaultPhase } from './rule.ts'

/**
 * A fault that applies to one request. If the client disconnects during a delay before the endpoint, the endpoint never
 * runs.
 */
export class AppliedFault implements MatchedFault {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  readonly #main: EffectName
  readonly #delay: number
  readonly #staleContext: () => EndpointContext<World>
  readonly #run: (context: FaultContext) => ApiResponse

  /**
   * @param delay in milliseconds
   * @param staleContext returns the rows of a stale read. Called after the delay, since the world can be reset in the
   *   meantime
   * @param run runs the endpoint, and mutates its response if the effect says so
   */
  constructor(
    { id, rule }: ActiveRule,
    delay: number,
    staleContext: () => EndpointContext<World>,
    run: (context: FaultContext) => ApiResponse,
  ) {
    this.id = id
    this.phase = rule.phase
    this.effect = rule.effect
    this.#main = mainEffect(rule.effect)
    this.#delay = delay
    this.#staleContext = staleContext
    this.#run = run
  }

  apply(context: FaultContext): ApiResponse | Promise<ApiResponse> {
    if (this.phase === 'mid-body') {
      const respond = () => this.#respondMidBody(context)
      return this.#main === 'delay_ms' ? respond() : this.#afterDelay(context, respond)
    }
    const response = this.phase === 'after-commit' ? this.#run(context) : null
    return this.#afterDelay(context, () => this.#respond(context, response))
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

  /** @param response the response of the service if the endpoint ran already */
  #respond(context: FaultContext, response: ApiResponse | null): ApiResponse {
    switch (this.#main) {
      case 'error': {
        const failure = effectFailure(this.effect, context.request)
        return context.respond(undefined, () => {
          throw failure
        })
      }
      case 'status':
        return effectResponse(this.effect)
      case 'drop':
        return networkErrorResponse
      case 'stale':
        return context.respond(this.#staleContext())
      case 'mutate':
      case 'delay_ms':
      case 'cut_bytes':
      case 'slow_bytes_per_s':
        return response ?? context.runEndpoint()
    }
  }

  /** The response of the service, with a body that is cut, slowed down or paused, or that breaks halfway. */
  #respondMidBody({ request, runEndpoint }: FaultContext): ApiResponse {
    const response = runEndpoint()
    const { body } = response
    const text = bodyText(body)
    if (text === '' || isChunked(body)) return response
    const { cut_bytes, slow_bytes_per_s, drop } = this.effect
    const isPause = this.#main === 'delay_ms' && this.#delay > 0
    const pacing = (length: number): BodyPacing => {
      const half = Math.ceil(length / 2)
      return {
        cut: drop ? half : cut_bytes,
        bytesPerSecond: slow_bytes_per_s,
        ...(isPause && { pause: { milliseconds: this.#delay, after: half } }),
      }
    }
    return { ...response, body: pacedBody(text, pacing, request.onAbort?.bind(request)) }
  }
}

/** The named error of the service. Without a detail, most errors have a fixed sentence. */
function effectFailure(
  { error, detail, retry_after_s }: FaultEffect,
  { method }: ApiRequest,
): Failure {
  const name = error as NonNullable<typeof error>
  const details: FailureDetails = retry_after_s === undefined ? {} : { retryAfter: retry_after_s }
  const sentence =
    name === 'throttled' && retry_after_s !== undefined
      ? throttledFailure(retry_after_s).detail
      : name === 'method_not_allowed'
        ? `Method "${method}" not allowed.`
        : undefined
  return new Failure(name, detail ?? sentence, details)
}

/** A response with the status, headers and body of an effect. */
function effectResponse({ status = 200, headers = {}, body }: FaultEffect): ApiResponse {
  const customHeaders = Object.fromEntries(new Headers(headers))
  if (body === undefined) return { status, headers: customHeaders, body: null }
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain;charset=utf-8' : 'application/json'
  return {
    status,
    headers: { 'content-type': type, ...customHeaders },
    body: isText ? body : toJsonText(body),
  }
}

/** How a body is sent. */
interface BodyPacing {
  /** Breaks the connection after this many bytes. */
  readonly cut?: number | undefined
  readonly bytesPerSecond?: number | undefined
  /** Pauses after this many bytes. */
  readonly pause?: { readonly milliseconds: number; readonly after: number }
}

/** How many chunks a slow body is split into, per second. */
const chunksPerSecond = 10

/**
 * A text that is sent in chunks. An exception breaks the connection. The stream ends early if the client disconnects.
 *
 * @param pacing how to send a body of a length in bytes
 */
function pacedBody(
  text: string,
  pacing: (length: number) => BodyPacing,
  onAbort?: OnAbort,
): WrittenText & AsyncIterable<Uint8Array> {
  return {
    text,
    [Symbol.asyncIterator]() {
      const cancellation = new AbortController()
      const { signal } = cancellation
      const onCancel: OnAbort = (listener) => {
        signal.addEventListener('abort', listener)
        const stopListening = onAbort?.(listener)
        return () => {
          signal.removeEventListener('abort', listener)
          stopListening?.()
        }
      }
      const chunks = createChunks(text, pacing, onCancel)
      return {
        next: () => chunks.next(),
        // Without the cancellation, a waiting generator would return only when its time has passed.
        return() {
          cancellation.abort()
          return chunks.return(undefined)
        },
      }
    },
  }
}

async function* createChunks(
  text: string,
  pacing: (length: number) => BodyPacing,
  onCancel: OnAbort,
): AsyncGenerator<Uint8Array, undefined> {
  const body = new TextEncoder().encode(text)
  const { cut = body.length, bytesPerSecond, pause } = pacing(body.length)
  const end = Math.min(cut, body.length)
  const step = bytesPerSecond ? Math.max(1, Math.floor(bytesPerSecond / chunksPerSecond)) : end
  // An empty chunk, so that the headers are sent.
  if (end === 0) yield body.subarray(0, 0)
  for (let start = 0; start < end; ) {
    const stop = Math.min(start + step, end, pause && start < pause.after ? pause.after : end)
    yield body.subarray(start, stop)
    if (stop === pause?.after && !(await wait(pause.milliseconds, onCancel)))
      throw createNetworkError()
    const seconds = bytesPerSecond && stop < end ? (stop - start) / bytesPerSecond : 0
    if (seconds > 0 && !(await wait(seconds * 1_000, onCancel))) throw createNetworkError()
    start = stop
  }
  if (end < body.length) throw createNetworkError()
  return undefined
}
