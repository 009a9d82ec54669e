import type { AccessibleRows } from '../row-defaults.ts'
import type { KeyRow } from '../rows.ts'
import type { RepositoryJson } from '../world-json.ts'
import type { Dice } from './dice.ts'
import type { Places } from './places.ts'

/** The rows that are made, list by list: in the form of a world file, with every field. */
export interface MadeRows extends AccessibleRows {
  keys: KeyRow
  repository: RepositoryJson
}

export type ListName = keyof MadeRows

/** Each list stands behind the lists that its rows name. */
export const listNames: readonly ListName[] = [
  'organizations',
  'projects',
  'users',
  'keys',
  'dashboard_items',
  'repository',
  'plugins',
  'plugin_configs',
  'annotations',
  'activity',
]

export type MadeLists = { readonly [List in ListName]: MadeRows[List][] }

/** Some fields of a row; one that is undefined counts as left out. */
export type Given<List extends ListName> = {
  readonly [Field in keyof MadeRows[List]]?: MadeRows[List][Field] | undefined
}

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
