import { DuplicateRows, duplicateRow } from './duplicate-rows.ts'
import { Input, ignoredInput, localTime } from './input.ts'
import { ComputedOffsets } from './offsets.ts'
import { repeatedRow, skippedRow, unreadPages } from './page-rules.ts'
import { RefusedPuts, refusedPut } from './refused-puts.ts'
import { RepeatedCreates, repeatedCreate } from './repeated-creates.ts'
import { EarlyRetries, earlyRetry, endlessRetry, repeatedRefusal, Streaks } from './retries.ts'
import type { ClientRule, Watch } from './rule.ts'
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
  /** @param isPartial whether requests came before that are not known: what looks wrong can be right because of one of them */
  watch(isPartial: boolean): Watch
}

/** All rules, in the order of the documentation. */
export const watchedRules: readonly WatchedRules[] = [
  {
    rules: [repeatedCreate],
    needs: ['rows', 'creates'],
    watch: () => new RepeatedCreates(),
  },
  { rules: [duplicateRow], needs: ['rows'], watch: () => new DuplicateRows() },
  { rules: [swallowedDelete], watch: () => new SwallowedDeletes() },
  { rules: [refusedPut], watch: () => new RefusedPuts() },
  { rules: [staleRow], watch: () => new StaleRows() },
  { rules: [undoneChange], needs: ['rows'], watch: () => new UndoneChanges() },
  { rules: [ignoredInput, localTime], watch: (isPartial) => new Input(isPartial) },
  { rules: [repeatedRow, skippedRow], needs: ['rows'], watch: () => new Walks() },
  // An offset can come from any page before.
  { rules: [repeatedRow, skippedRow], needs: ['start'], watch: () => new ComputedOffsets() },
  { rules: [unreadPages], needs: ['rows', 'start'], watch: () => new UnreadPages() },
  { rules: [earlyRetry], watch: () => new EarlyRetries() },
  { rules: [unfilledValue], watch: () => new UnfilledValues() },
  { rules: [endlessRetry, repeatedRefusal], watch: () => new Streaks() },
]
