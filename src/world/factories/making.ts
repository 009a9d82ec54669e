import type { RandomSource } from './dice.ts'
import type { FactoryRows, ListName, PartialRow } from './made.ts'
import type { RelatedRows } from './places.ts'

/** Which of how many: rows that are counted, not written, spread over places and over time. */
export interface BatchPosition {
  readonly index: number
  readonly of: number
}

/** What is known when a row is made. */
export interface RowContext<List extends ListName> {
  readonly overrides: PartialRow<List>
  /** The id it will have, where ids are counted */
  readonly id: number
  readonly related: RelatedRows
  readonly random: RandomSource
  /** Milliseconds since 1970 */
  readonly now: number
  readonly position: BatchPosition | undefined
}

/** The fields of a row that a draft settles. */
export type RowDraft<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field]
}
