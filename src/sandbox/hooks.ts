import type { Failure } from '../http/failures.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import type { Tables } from '../world/table/tables.ts'
import type { FaultEffect, FaultPhase } from './faults/rule.ts'
import type { RoutedRequest } from './request-pattern.ts'

/** Who may disturb the answers of a sandbox. */
export interface FaultHook {
  /** Whether nobody does, which is what most requests find. */
  readonly isEmpty: boolean
  /** The fault that disturbs a request, if one does. */
  match(asked: RoutedRequest): MatchedFault | null
}

/** Who may write after the requests to a sandbox. */
export interface ActorHook {
  /** Whether nobody does, which is what most requests find. */
  readonly isEmpty: boolean
  /** Called when a request has been carried out, before its answer leaves. */
  afterRequest(asked: RoutedRequest): void
}

/** Nobody: until a simulator puts its faults and actors there. */
export const noHooks: FaultHook & ActorHook = {
  isEmpty: true,
  match: () => null,
  afterRequest() {},
}

/** A request that a fault disturbs, and the ways in which it can be answered. None of them throws. */
export interface FaultContext {
  readonly call: ApiRequest
  /** Carries the request out, as if there were no fault; called once or never. */
  commit(): ApiResponse
  /** The service's answer to what it refuses. */
  reject(failure: Failure): ApiResponse
  /** Answers from other rows, which it leaves as they are. */
  respondFrom(tables: Tables): ApiResponse
}

/** A fault that is about to disturb one request. */
export interface MatchedFault {
  /** Of the rule. */
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** @returns what is answered in place of the answer; it never rejects */
  apply(request: FaultContext): ApiResponse | Promise<ApiResponse>
}
