import type { JournalAccess } from '../mistakes/journal-access.ts'
import type { State } from '../simulator/state.ts'
import { UsageError } from '../utils/errors.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import { type RunUsage, UsageRecorder } from './run-usage.ts'

/** A simulator whose journal is reported on. */
export interface Reported {
  readonly state: State
  readonly journal: JournalAccess
}

/** Reports on the requests in a journal. @throws UsageError if the journal is disabled */
export function reportJournal(reported: Reported): RunReport {
  requireJournal(reported)
  return createRunReport(usageOf(reported))
}

/** @throws UsageError if the journal is disabled */
export function requireJournal({ state }: Reported): void {
  if (!state.journal.isOff) return
  throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
}

/**
 * What the requests in a journal used and did wrong.
 *
 * @param place what they belong to if no test is known, such as a sandbox
 */
export function usageOf({ state, journal }: Reported, place: string | null = null): RunUsage {
  const { evictedCount, records } = state.journal
  const recorder = new UsageRecorder()
  recorder.usage.not_covered = evictedCount
  for (const record of records) recorder.add(record, state)
  return recorder.finish(journal.findMistakes(place))
}
