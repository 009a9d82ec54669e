import type { Sandbox } from '../../sandbox/sandbox.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { JournalAccess } from '../journal-access.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import { addMistakes, addSettings, UsageRecorder } from './run-usage.ts'

/** Reports on the requests in a journal, under the current policies. @throws UsageError if the journal is disabled */
export function reportOnJournal(sandbox: Sandbox, access: JournalAccess): RunReport {
  const { journal } = sandbox
  if (journal.isOff) {
    throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
  }
  const recorder = new UsageRecorder()
  const { usage } = recorder
  for (const record of journal.records) recorder.add(record, sandbox)
  usage.not_covered = journal.evictedCount
  addMistakes(usage, access.mistakes())
  addSettings(usage, sandbox.policyTracker.untracked)
  return createRunReport(usage)
}
