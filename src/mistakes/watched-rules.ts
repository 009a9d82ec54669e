import { DuplicateRows, duplicateRow } from './duplicate-rows.ts'
import { Input, ignoredInput, localTime } from './input.ts'
import { pagesBeyondEnd, repeatedRow, skippedRow, unreadPages } from './page-rules.ts'
import { ReadLists } from './read-lists.ts'
import { Reads, runawayReads, searchPerKey, singleReads } from './reads.ts'
import { Refusals, refusedPut, swallowedDelete, unhandledRefusal } from './refusals.ts'
import { RepeatedCreates, repeatedCreate } from './repeated-creates.ts'
import { EarlyRetries, earlyRetry, endlessRetry, repeatedRefusal, Streaks } from './retries.ts'
import type { ClientRule, History, Watch } from './rule.ts'
import { StaleRows, staleRow } from './stale-rows.ts'
import { UnfilledValues, unfilledValue } from './unfilled-values.ts'
import { movedRow, overlappingUpdates, Updates, unchangedUpdate, undoneChange } from './updates.ts'

/** Rules that are looked for together. */
interface WatchedRules {
  readonly rules: readonly ClientRule[]
  /** What they cannot do without: the rows of responses, the bodies of creates */
  readonly needs?: readonly ('rows' | 'creates')[]
  watch(history: History): Watch
}

/** All rules, in the order of the documentation. */
export const watchedRules: readonly WatchedRules[] = [
  {
    rules: [repeatedCreate],
    needs: ['rows', 'creates'],
    watch: () => new RepeatedCreates(),
  },
  { rules: [duplicateRow], needs: ['rows'], watch: () => new DuplicateRows() },
  {
    rules: [swallowedDelete, refusedPut, unhandledRefusal],
    watch: (history) => new Refusals(history),
  },
  { rules: [staleRow], watch: () => new StaleRows() },
  {
    rules: [undoneChange, overlappingUpdates, unchangedUpdate, movedRow],
    needs: ['rows'],
    watch: () => new Updates(),
  },
  { rules: [ignoredInput, localTime], watch: (history) => new Input(history) },
  {
    rules: [repeatedRow, skippedRow, pagesBeyondEnd, unreadPages],
    needs: ['rows'],
    watch: (history) => new ReadLists(history),
  },
  { rules: [runawayReads, singleReads, searchPerKey], watch: () => new Reads() },
  { rules: [earlyRetry], watch: () => new EarlyRetries() },
  { rules: [unfilledValue], watch: () => new UnfilledValues() },
  { rules: [endlessRetry, repeatedRefusal], watch: (history) => new Streaks(history) },
]
