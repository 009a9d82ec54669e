import type { World } from '../api/endpoints.ts'
import type { Authorize } from '../http/authorize.ts'
import type { EndpointContext } from '../http/endpoint.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import type { ResolvedRoute } from '../http/route.ts'
import type { RecordedFault } from './journal/record.ts'

/** A request and the route that it resolves to. */
export interface RoutedRequest {
  readonly route: ResolvedRoute<World>
  readonly request: ApiRequest
}

/** Applies faults to the requests of a sandbox. */
export interface FaultHook {
  /** The fault that applies to a request, if one does. */
  match(routed: RoutedRequest): MatchedFault | null
}

/** Lets second actors write after the requests to a sandbox. */
export interface ActorHook {
  /** Called after the endpoint ran, before its response is sent. */
  afterRequest(routed: RoutedRequest): void
}

/** The ways in which a fault can respond to a request. None of them throws. */
export interface FaultContext {
  readonly request: ApiRequest
  /** Runs the endpoint as if there were no fault. Called at most once. */
  runEndpoint(): ApiResponse
  /** Responds through the pipeline of the service, with other rows or another authorization. */
  respond(context?: EndpointContext<World>, authorize?: Authorize<World>): ApiResponse
}

/** A fault that applies to one request. */
export interface MatchedFault extends RecordedFault {
  /** Produces the response. The promise never rejects. */
  apply(context: FaultContext): ApiResponse | Promise<ApiResponse>
}
