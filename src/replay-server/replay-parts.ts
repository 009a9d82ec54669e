import type { Base } from '../http/base.ts'
import type { Simulator } from '../simulator.ts'
import type { ReplayMode } from './mode.ts'
import type { UnexpectedRequest } from './nearest-recorded.ts'

/** What a recording is replayed with. */
export interface ReplayParts {
  readonly mode: ReplayMode
  /** In the world of the recording: answers what is not recorded, where the mode is fallback */
  readonly simulator: Simulator
  /** Makes another one like it, in which the recording is completed */
  readonly stage: () => Simulator
  /** Where the API begins */
  readonly base: Base
  /** Told of each request that is not recorded */
  readonly onUnexpected?: ((request: UnexpectedRequest) => void) | undefined
}
