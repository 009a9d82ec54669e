import type { State } from '../simulator/state.ts'
import { UsageError } from '../utils/errors.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import { type RunMistakes, UsageRecorder } from './run-usage.ts'

/** Reports on the requests in a journal. @throws UsageError if the journal is disabled */
export function reportJournal(state: State, found: RunMistakes): RunReport {
  const { journal } = state
  if (journal.isOff) {
    throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
  }
  const recorder = new UsageRecorder()
  recorder.usage.not_covered = journal.evictedCount
  for (const record of journal.records) recorder.add(record, state)
  return createRunReport(recorder.finish(found))
}
