import type { BaseUrl } from '../http/base.ts'
import type { Simulator } from '../simulator.ts'
import type { ReplayMode } from './mode.ts'
import type { UnexpectedRequest } from './nearest-recorded.ts'

/** What a recording is replayed with. */
export interface ReplayContext {
  readonly mode: ReplayMode
  /** In the world of the recording: answers what is not recorded, where the mode is fallback */
  readonly simulator: Simulator
  /** Makes another one like it, in which the recording is completed */
  readonly createFresh: () => Simulator
  /** Where the API begins */
  readonly base: BaseUrl
  /** Told of each request that is not recorded */
  readonly onUnexpected?: ((request: UnexpectedRequest) => void) | undefined
}
