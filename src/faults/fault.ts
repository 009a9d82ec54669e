import type { Failure } from '../errors.ts'
import type { ApiRequest, ApiResponse } from '../http/call.ts'
import type { Tables } from '../world/tables.ts'
import type { FaultEffect, FaultPhase } from './rule.ts'

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
