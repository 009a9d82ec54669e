import type { Exchange } from './exchange.ts'

/** What came of one more exchange in a recording. */
export interface AddedExchange {
  /** As it may be told: without what is hidden */
  readonly exchange: Exchange
  /** The positions of the steps that are new, or read otherwise than before */
  readonly changed: readonly number[]
  /** What of it no step can say, in whole sentences */
  readonly warnings: readonly string[]
}
