import type { World } from '../api/endpoints.ts'
import type { Failure } from '../http/failures.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import type { ResolvedRoute } from '../http/route.ts'
import type { Tables } from '../world/table/tables.ts'
import type { FaultEffect, FaultPhase } from './faults/rule.ts'

/** A request and the route that it resolves to. */
export interface RoutedRequest {
  readonly route: ResolvedRoute<World>
  readonly request: ApiRequest
}

/** Applies faults to the requests of a sandbox. */
export interface FaultHook {
  /** Whether there are no rules, which is the common case. */
  readonly isEmpty: boolean
  /** The fault that applies to a request, if one does. */
  match(routed: RoutedRequest): MatchedFault | null
}

/** Lets second actors write after the requests to a sandbox. */
export interface ActorHook {
  /** Whether there are no actors, which is the common case. */
  readonly isEmpty: boolean
  /** Called after the endpoint ran, before its response is sent. */
  afterRequest(routed: RoutedRequest): void
}

/** No-op hooks, used until a simulator installs its own. */
export const noHooks: FaultHook & ActorHook = {
  isEmpty: true,
  match: () => null,
  afterRequest() {},
}

/** The ways in which a fault can respond to a request. None of them throws. */
export interface FaultContext {
  readonly request: ApiRequest
  /** Runs the endpoint as if there were no fault. Called at most once. */
  runEndpoint(): ApiResponse
  /** The service's response to a request that it refuses. */
  reject(failure: Failure): ApiResponse
  /** Runs the endpoint on other rows and leaves them unchanged. */
  respondFrom(tables: Tables): ApiResponse
}

/** A fault that applies to one request. */
export interface MatchedFault {
  /** The id of its rule */
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** Produces the response. The promise never rejects. */
  apply(context: FaultContext): ApiResponse | Promise<ApiResponse>
}
