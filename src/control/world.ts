import type { Simulator } from '../simulator.ts'
import type { WorldJson } from '../world/world-json.ts'

/** What endpoints of the control API work with. */
export interface World {
  readonly simulator: Simulator
  /** Fills what a world leaves to the factories. */
  readonly generate: (world: WorldJson) => Promise<WorldJson>
}
