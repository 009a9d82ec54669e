import { type AddedIds, addRows, type EditableState, type NewRows } from './edit-rows.ts'
import { WorldAccess } from './world-access.ts'

/** The rows of a simulator, without a request: those of one list, or of several at once. */
export class World extends WorldAccess {
  readonly #state: EditableState

  constructor(state: EditableState) {
    super(state)
    this.#state = state
  }

  /**
   * Adds rows, list by list: all of them or none.
   *
   * @throws UsageError with every issue
   * @example simulator.world.add({ projects: [{ name: 'Docs' }], annotations: [{ content: 'Beta' }] })
   */
  add(rows: NewRows): AddedIds {
    return addRows(this.#state, rows)
  }
}
