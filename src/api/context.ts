import type { PolicySettings } from '../policies/policies.ts'
import type { JsonText } from '../utils/json.ts'
import type { PagePart } from '../utils/json-page.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { BlockCache } from '../world/table/encoded-blocks.ts'
import type { SortedRows } from '../world/table/ordered-list.ts'
import type { Tables } from '../world/table/tables.ts'

/** A class for the rows of a page that are made whenever they are read. No write changes them. */
type LargeRowsClass = new <R>(
  rows: Pick<SortedRows<R>, 'slice'>,
  offset: number,
  length: number,
  serialize: (row: R) => JsonText<unknown>,
) => PagePart

/** The state that operations read and write. A reset or a restore replaces its tables. */
export interface ApiContext {
  readonly tables: Tables
  readonly settings: PolicySettings
  readonly clock: Clock
  readonly cache: BlockCache
  /** Makes large pages while they are sent. Null if they are made at once. */
  readonly LargeRows: LargeRowsClass | null
}
