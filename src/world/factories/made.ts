import type { AccessibleRows } from '../row-defaults.ts'
import type { KeyRow } from '../rows.ts'
import type { RepositoryJson } from '../world-json.ts'

// What users of the factories see: it knows nothing of the generators, whose types not every compiler accepts.

/** The rows that are made, list by list: in the form of a world file, with every field. */
export interface FactoryRows extends AccessibleRows {
  keys: KeyRow
  repository: RepositoryJson
}

/** The name of a list of a world. */
export type ListName = keyof FactoryRows

/** All rows that were made. */
export type FactoryLists = { readonly [List in ListName]: FactoryRows[List][] }

/** Some fields of a row; one that is undefined counts as left out. */
export type PartialRow<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field] | undefined
}
