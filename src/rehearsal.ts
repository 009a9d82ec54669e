import type { MatchedFault } from './faults/fault.ts'
import type { RoutedRequest } from './faults/matching.ts'

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
