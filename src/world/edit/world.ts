import * as z from 'zod'
import { parseOptions } from '../../utils/errors.ts'
import { once } from '../schema/world-schema.ts'
import {
  type AddedIds,
  type EditableState,
  editRows,
  type NewRows,
  type RowEdits,
  rowEditSchemas,
} from './edit-rows.ts'
import { WorldAccess } from './world-access.ts'

/** New rows are checked when they are added. */
const editsSchema = once(() => {
  const { update, delete: deleted } = rowEditSchemas()
  return z.strictObject({ update, delete: deleted }).partial() as z.ZodType<Omit<RowEdits, 'rows'>>
})

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
    return editRows(this.#state, [{ rows }])
  }

  /**
   * Adds rows, then sets fields of some, then deletes some permanently: all of it or nothing.
   *
   * @returns the ids of the added rows, by list
   * @throws UsageError for a row that does not exist, and for a value that its field cannot have
   * @example simulator.world.edit({ update: { annotations: [{ id: 1, content: 'Beta' }] }, delete: { plugins: [3] } })
   */
  edit({ rows, ...edits }: RowEdits): AddedIds {
    return editRows(this.#state, [{ rows, ...parseOptions(editsSchema(), edits, 'edit rows') }])
  }
}
