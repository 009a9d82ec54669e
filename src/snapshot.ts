import { unexpectedValue } from './usage-error.ts'
import type { LoadedWorld } from './world/load.ts'

/** A state of the rows to come back to. What is in it nobody can change. */
export class Snapshot {
  readonly #state: LoadedWorld

  constructor(state: LoadedWorld) {
    this.#state = state
  }

  /** @throws UsageError for what is no snapshot */
  static stateOf(snapshot: Snapshot): LoadedWorld {
    if (typeof snapshot === 'object' && snapshot !== null && #state in snapshot)
      return snapshot.#state
    throw unexpectedValue('restore a snapshot', 'what simulator.snapshot() gave', snapshot)
  }
}
