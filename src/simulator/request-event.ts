import type { World } from '../api/endpoints.ts'
import type { Authorize } from '../http/authorize.ts'
import type { ApiRequest } from '../http/messages.ts'
import type { ResolvedRoute } from '../http/route.ts'
import type { JournalRecord } from './journal/journal.ts'

/** A request on its way to the endpoint. */
export interface RequestEvent {
  readonly route: ResolvedRoute<World>
  readonly request: ApiRequest
  readonly record: JournalRecord
  /** Replaces the check of the key, if a fault refuses the request. */
  authorize?: Authorize<World>
}
