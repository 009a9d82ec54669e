import type { Authorize } from '../../http/authorize.ts'
import { Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  networkErrorResponse,
} from '../../http/messages.ts'
import type { ResolvedRoute } from '../../http/route.ts'
import { throttledFailure } from '../../http/throttle.ts'
import type { TrackedValues } from '../../settings/by-setting.ts'
import { UsageError } from '../../utils/errors.ts'
import { utf8Length } from '../../utils/json.ts'
import type { OnAbort } from '../../utils/wait.ts'
import { type EditableState, makeEdits } from '../../world/edit/edit-rows.ts'
import type { JournalRecord } from '../journal/journal.ts'
import { type EffectName, type FaultEffect, type FaultPhase, variantOf } from './fault.ts'
import { responseShape, varyResponse } from './variants.ts'

/** A request on its way to the endpoint. */
export interface RequestEvent {
  readonly route: ResolvedRoute
  readonly request: ApiRequest
  readonly record: JournalRecord
  /** Replaces the check of the key, if a fault refuses the request. */
  authorize?: Authorize
}

/** The parts of a state that faults read and change. */
export interface FaultedState extends EditableState {
  readonly settingTracker: TrackedValues
  readonly name: string | null
  /** How many times all rows were replaced. */
  readonly restoreCount: number
  /** Called with the error of an edit. */
  readonly report: (error: unknown) => void
}

/** Runs the checks and the endpoint, which see what a fault changed in the event. */
export type RunEndpoint = () => ApiResponse

/**
 * How a wait ends. `released`: the fault was removed, so that the request waits no more. `dropped`: the client has gone, or
 * a reset broke the connection.
 */
export type WaitEnd = 'over' | 'released' | 'dropped'

/** A fault that applies to one request. */
interface AppliedFault {
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** The effects that make the request or its response wait, in order, and for how many milliseconds */
  readonly waits: readonly (readonly ['hold' | 'delay_ms', milliseconds: number])[]
  readonly wait: (milliseconds: number, onAbort?: OnAbort) => Promise<WaitEnd>
  readonly event: RequestEvent
  readonly runEndpoint: RunEndpoint
  readonly state: FaultedState
}

/** Responses with these statuses have no body. */
export const bodilessStatuses: readonly number[] = [204, 205, 304]

/**
 * Responds to a request as a fault says. If the client disconnects during a wait before the endpoint, the endpoint never
 * runs.
 */
export function applyFault(fault: AppliedFault): ApiResponse | Promise<ApiResponse> {
  const { phase, runEndpoint } = fault
  if (phase === 'before') return afterWaits(fault, () => replaceResponse(fault) ?? runEndpoint())
  const response = changeResponse(fault, runEndpoint())
  return afterWaits(fault, () => replaceResponse(fault) ?? response)
}

/** Runs a function after the hold and the delay. Without them, no timer is used. */
function afterWaits(
  { waits, wait, event }: AppliedFault,
  respond: () => ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  const { request } = event
  const waitAndRespond = async (): Promise<ApiResponse> => {
    for (const [name, milliseconds] of waits) {
      addEffect(event, name)
      const end = await wait(milliseconds, request.onAbort?.bind(request))
      if (end === 'dropped') return networkErrorResponse
      if (end === 'released') break
    }
    return respond()
  }
  return waits.length === 0 ? respond() : waitAndRespond()
}

/** The response that takes the place of that of the service. Null for an effect that leaves it. */
function replaceResponse(fault: AppliedFault): ApiResponse | null {
  const { effect, event } = fault
  if (effect.error !== undefined) return errorResponse(fault)
  if (effect.status !== undefined) {
    addEffect(event, 'status')
    return statusResponse(effect)
  }
  if (!effect.drop) return null
  addEffect(event, 'drop')
  return networkErrorResponse
}

/** The error of an effect, unless an earlier check than that of the key refuses the request. */
function errorResponse({ effect, event, runEndpoint }: AppliedFault): ApiResponse {
  const failure = effectFailure(effect, event.request)
  event.authorize = () => {
    throw failure
  }
  const response = runEndpoint()
  if (response.failure !== failure) return response
  addEffect(event, 'error')
  return { ...response, headers: { ...response.headers, ...toHeaders(effect) } }
}

/** The named error of the service. Without a detail, most errors have a fixed sentence. */
function effectFailure(
  { error: name = 'server_error', detail, retry_after_s: seconds }: FaultEffect,
  { method }: ApiRequest,
): Failure {
  const sentence =
    name === 'throttled' && seconds !== undefined
      ? throttledFailure(seconds).detail
      : name === 'method_not_allowed'
        ? `Method "${method}" not allowed.`
        : undefined
  return new Failure(name, detail ?? sentence, seconds === undefined ? {} : { retryAfter: seconds })
}

/** A response with the status, headers and body of an effect. */
function statusResponse(effect: FaultEffect): ApiResponse {
  const { status = 200, body } = effect
  if (body === undefined) return { status, headers: toHeaders(effect), body: null }
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain;charset=utf-8' : 'application/json'
  return {
    status,
    headers: { 'content-type': type, ...toHeaders(effect) },
    body: isText ? body : JSON.stringify(body),
  }
}

/** With names in lower case. */
function toHeaders({ headers = {} }: FaultEffect): Record<string, string> {
  return Object.fromEntries(new Headers(headers))
}

/** Changes the response of the service, or rows after it. */
function changeResponse(fault: AppliedFault, response: ApiResponse): ApiResponse {
  if (fault.effect.variant !== undefined) return withVariant(fault, response)
  if (fault.effect.edit !== undefined) editWorld(fault)
  return fault.effect.cut_bytes === undefined ? response : withCutBody(fault, response)
}

function withVariant({ effect, event, state }: AppliedFault, response: ApiResponse): ApiResponse {
  const { endpoint } = event.route
  const variant = variantOf(effect)
  // The response to OPTIONS describes the endpoint.
  if (variant === undefined || endpoint.method === 'OPTIONS') return response
  const shape = responseShape(endpoint, state.settingTracker.untracked)
  const varied = varyResponse(response, variant, shape, event.request.url)
  if (varied !== response) addEffect(event, 'variant')
  return varied
}

/** Changes rows after the request. The client of the request sees nothing of an edit that fails. */
function editWorld({ effect: { edit = [] }, event, state }: AppliedFault): void {
  const { fault } = event.record
  try {
    makeEdits(state, edit)
    addEffect(event, 'edit')
  } catch (error) {
    const { message } = error as Error
    if (fault) fault.failure = message
    state.report(new UsageError(`An edit of the fault ${fault?.id} failed: ${message}`))
  }
}

/** Breaks the connection within the body of a response. A shorter body arrives whole. */
function withCutBody({ effect, event }: AppliedFault, response: ApiResponse): ApiResponse {
  const { cut_bytes = 0 } = effect
  const isWhole = utf8Length(bodyText(response.body)) <= cut_bytes
  if (isWhole || event.request.method === 'HEAD') return response
  addEffect(event, 'cut_bytes')
  return { ...response, cutAfter: cut_bytes }
}

/** Notes that an effect of the fault changed the response, or when it arrives. */
function addEffect({ record }: RequestEvent, name: EffectName): void {
  record.fault?.effects.push(name)
}

/** Whether a fault broke the connection within the body of a recorded response. @param length that of the whole body */
export function isBodyCut(
  { method, fault }: { method: string; fault: { effect?: unknown } | null },
  length: number,
): boolean {
  const { cut_bytes = length } = Object(fault?.effect) as FaultEffect
  return method !== 'HEAD' && cut_bytes < length
}
