import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { ClientMistakes, mergeMistakes } from '../client-rules/client-mistakes.ts'
import type { JournalAccess } from '../journal-access.ts'
import type { RunReport } from './report-schema.ts'
import { createRunReport } from './run-report.ts'
import { addSettings, type RunUsage, UsageRecorder } from './run-usage.ts'

/**
 * Collects what the requests to a simulator and its sandboxes use, while they happen. Its memory does not depend on
 * their number.
 */
export class RunFollower {
  /** The simulator of the latest request, whose settings the report is about */
  #latest: SimulatorBase
  readonly #recorder = new UsageRecorder()
  /** By the id of the sandbox. The one of the simulator itself has none */
  readonly #mistakes = new Map<string | null, ClientMistakes>()

  constructor(simulator: SimulatorBase) {
    this.#latest = simulator
    this.#follow(null, simulator)
    const { sandboxes } = simulator
    sandboxes.follow((id, sandbox) => {
      for (const [known, mistakes] of this.#mistakes) {
        if (known !== null && !sandboxes.get(known)) this.#complete(known, mistakes)
      }
      this.#follow(id, sandbox)
    })
  }

  #follow(id: string | null, simulator: SimulatorBase): void {
    const { sandbox } = simulator
    const mistakes = new ClientMistakes(id)
    this.#mistakes.set(id, mistakes)
    simulator.journal.follow((entry) => mistakes.add(entry))
    simulator.journal.followRecords((record) => {
      this.#latest = simulator
      this.#recorder.add(record, sandbox)
    })
  }

  /** Ends the collection. @returns what was used */
  finish(): RunUsage {
    const { usage } = this.#recorder
    addSettings(usage, this.#latest.settings.values)
    for (const [id, mistakes] of this.#mistakes) this.#complete(id, mistakes)
    return usage
  }

  /** Adds the mistakes in a sandbox that receives no further requests, and forgets what they were found with. */
  #complete(id: string | null, mistakes: ClientMistakes): void {
    mergeMistakes(this.#recorder.usage.mistakes, mistakes.list())
    this.#mistakes.delete(id)
  }
}

/** Reports on the requests in a journal, under the current settings. @throws UsageError if the journal is disabled */
export function reportJournal(sandbox: Sandbox, access: JournalAccess): RunReport {
  const { journal } = sandbox
  if (journal.isOff) {
    throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
  }
  const recorder = new UsageRecorder()
  const { usage } = recorder
  usage.not_covered = journal.evictedCount
  for (const record of journal.records) recorder.add(record, sandbox)
  mergeMistakes(usage.mistakes, access.mistakes())
  addSettings(usage, sandbox.settingTracker.untracked)
  return createRunReport(usage)
}
