import { readWorld } from '../../read-world.ts'
import { reloadWorld } from '../../reload-world.ts'
import type { Simulator } from '../../simulator.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ReloadSummary } from './reloaded.ts'

/** Takes over what has changed in a file of a world, each time that it is asked to. */
export class WorldReloader {
  readonly #simulator: Simulator
  readonly #file: string
  readonly #seed: number | undefined
  #before: WorldJson

  /** @param before what was read of the file */
  constructor(simulator: Simulator, file: string, seed: number | undefined, before: WorldJson) {
    this.#simulator = simulator
    this.#file = file
    this.#seed = seed
    this.#before = before
  }

  /** @throws UsageError for a file with faults; then all is as it was */
  async reload(): Promise<ReloadSummary> {
    const after = await readWorld(this.#file, this.#seed)
    const { conflicts, ...rows } = reloadWorld(this.#simulator, this.#before, after)
    this.#before = after
    const kept = conflicts.map(({ list, id, reason }) => `${list} ${id} ${reason}`)
    return { ...rows, kept }
  }
}
