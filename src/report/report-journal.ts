import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import type { RunUsage } from './run-usage.ts'
import { UsageRecorder } from './usage-recorder.ts'

/** Reports on the requests in a journal. @throws UsageError if the journal is disabled */
export function reportJournal(simulator: Simulator): RunReport {
  requireJournal(simulator)
  return createRunReport(usageOf(simulator))
}

/** @throws UsageError if the journal is disabled */
export function requireJournal({ state }: Simulator): void {
  if (!state.journal.isOff) return
  throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
}

/**
 * What the requests in a journal used and did wrong.
 *
 * @param sandboxId what they belong to if no test is known, such as a sandbox
 */
export function usageOf({ state, journal }: Simulator, sandboxId: string | null = null): RunUsage {
  const { evictedCount, records } = state.journal
  const recorder = new UsageRecorder()
  recorder.usage.not_covered = evictedCount
  for (const record of records) recorder.add(record, state)
  return recorder.finish(journal.findMistakes(sandboxId))
}
