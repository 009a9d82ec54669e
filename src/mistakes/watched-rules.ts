import { duplicateRows } from './duplicate-rows.ts'
import { input } from './input.ts'
import { offsets } from './offsets.ts'
import { repeatedCreates } from './repeated-creates.ts'
import { earlyRetries, endlessRetries } from './retries.ts'
import type { WatchedRules } from './rule.ts'
import { staleRows } from './stale-rows.ts'
import { swallowedDeletes } from './swallowed-deletes.ts'
import { unread } from './unread-pages.ts'
import { updates } from './updates.ts'
import { walks } from './walks.ts'

/** All rules, in the order of the documentation. */
export const watchedRules: readonly WatchedRules[] = [
  repeatedCreates,
  duplicateRows,
  swallowedDeletes,
  staleRows,
  updates,
  input,
  walks,
  offsets,
  unread,
  earlyRetries,
  endlessRetries,
]
