import { DuplicateRows, duplicateRow, repeatedCreate } from './duplicate-rows.ts'
import { Input, ignoredInput, localTime } from './input.ts'
import { ReadLists, repeatedRow, skippedRow, unreadPages } from './read-lists.ts'
import { Refusals, refusedPut, swallowedDelete, unhandledRefusal } from './refusals.ts'
import { EarlyRetries, earlyRetry, endlessRetry, repeatedRefusal, Streaks } from './retries.ts'
import type { ClientRule, History, Watch } from './rule.ts'
import { StaleRows, staleRow } from './stale-rows.ts'
import { UnfilledValues, unfilledValue } from './unfilled-values.ts'
import { movedRow, overlappingUpdates, Updates, undoneChange } from './updates.ts'

/** Rules that are looked for together. */
interface WatchedRules {
  readonly Watch: new (history: History) => Watch
  readonly rules: readonly ClientRule[]
  /** What they cannot do without: the rows of responses, the bodies of creates */
  readonly needs?: readonly ('rows' | 'creates')[]
}

/** All rules, in the order of the documentation. */
export const watchedRules: readonly WatchedRules[] = [
  { Watch: DuplicateRows, rules: [repeatedCreate, duplicateRow], needs: ['rows', 'creates'] },
  { Watch: Refusals, rules: [swallowedDelete, refusedPut, unhandledRefusal] },
  { Watch: StaleRows, rules: [staleRow] },
  { Watch: Updates, rules: [undoneChange, overlappingUpdates, movedRow], needs: ['rows'] },
  { Watch: Input, rules: [ignoredInput, localTime] },
  { Watch: ReadLists, rules: [repeatedRow, skippedRow, unreadPages], needs: ['rows'] },
  { Watch: EarlyRetries, rules: [earlyRetry] },
  { Watch: UnfilledValues, rules: [unfilledValue] },
  { Watch: Streaks, rules: [endlessRetry, repeatedRefusal] },
]
