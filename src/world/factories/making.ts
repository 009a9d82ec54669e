import type { Dice } from './dice.ts'
import type { Given, ListName, MadeRows } from './made.ts'
import type { Places } from './places.ts'

/** Which of how many: rows that are counted, not written, spread over places and over time. */
export interface Part {
  readonly index: number
  readonly of: number
}

/** What is known when a row is made. */
export interface Making<List extends ListName> {
  readonly given: Given<List>
  /** The id it will have, where ids are counted */
  readonly id: number
  readonly places: Places
  readonly dice: Dice
  /** Milliseconds since 1970 */
  readonly now: number
  readonly part: Part | undefined
}

/** The fields of a row that a draft settles. */
export type Draft<List extends ListName> = {
  readonly [Field in keyof MadeRows[List]]?: MadeRows[List][Field]
}
