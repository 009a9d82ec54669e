import { DuplicateRows, duplicateRow } from './duplicate-rows.ts'
import { Input, ignoredInput, localTime } from './input.ts'
import { ComputedOffsets } from './offsets.ts'
import { pagesBeyondEnd, repeatedRow, skippedRow, unreadPages } from './page-rules.ts'
import { RefusedWrites, refusedPut, unhandledRefusal } from './refused-writes.ts'
import { RepeatedCreates, repeatedCreate } from './repeated-creates.ts'
import { EarlyRetries, earlyRetry, endlessRetry, repeatedRefusal, Streaks } from './retries.ts'
import { movedRow, overlappingUpdates, RiskyUpdates } from './risky-updates.ts'
import type { ClientRule, History, Watch } from './rule.ts'
import { RunawayReads, runawayReads } from './runaway-reads.ts'
import { StaleRows, staleRow } from './stale-rows.ts'
import { SwallowedDeletes, swallowedDelete } from './swallowed-deletes.ts'
import { UnfilledValues, unfilledValue } from './unfilled-values.ts'
import { UnreadPages } from './unread-pages.ts'
import { UndoneChanges, undoneChange } from './updates.ts'
import { Walks } from './walks.ts'

/** Rules that are looked for together. */
interface WatchedRules {
  readonly rules: readonly ClientRule[]
  /** What they cannot do without: the rows of responses, the bodies of creates, the first requests of a history */
  readonly needs?: readonly ('rows' | 'creates' | 'start')[]
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
  { rules: [swallowedDelete], watch: (history) => new SwallowedDeletes(history) },
  { rules: [refusedPut, unhandledRefusal], watch: (history) => new RefusedWrites(history) },
  { rules: [staleRow], watch: () => new StaleRows() },
  { rules: [undoneChange], needs: ['rows'], watch: () => new UndoneChanges() },
  { rules: [overlappingUpdates, movedRow], watch: () => new RiskyUpdates() },
  { rules: [ignoredInput, localTime], watch: (history) => new Input(history) },
  { rules: [repeatedRow, skippedRow], needs: ['rows'], watch: () => new Walks() },
  // An offset can come from any page before.
  {
    rules: [repeatedRow, skippedRow, pagesBeyondEnd],
    needs: ['start'],
    watch: () => new ComputedOffsets(),
  },
  { rules: [unreadPages], needs: ['rows', 'start'], watch: () => new UnreadPages() },
  { rules: [runawayReads], watch: () => new RunawayReads() },
  { rules: [earlyRetry], watch: () => new EarlyRetries() },
  { rules: [unfilledValue], watch: () => new UnfilledValues() },
  { rules: [endlessRetry, repeatedRefusal], watch: (history) => new Streaks(history) },
]
