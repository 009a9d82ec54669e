import { findClientMistakes, mergeMistakes } from '../mistakes/client-mistakes.ts'
import type { JournalAccess } from '../mistakes/journal-access.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { Service } from '../simulator/service.ts'
import type { State } from '../simulator/state.ts'
import { UsageError } from '../utils/errors.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import { addSettings, type RunUsage, UsageRecorder } from './run-usage.ts'

/** Mistakes are looked for in the latest requests to a world since all of its rows were replaced: at most these. */
const maxEntries = 1_000

/**
 * Collects what the requests to a simulator and its sandboxes use, while they happen. Its memory does not depend on
 * their number.
 */
export class RunFollower {
  /** The simulator of the latest request, whose settings the report is about */
  #latest: Service
  readonly #recorder = new UsageRecorder()
  /** By the id of the sandbox. The one of the simulator itself has none */
  readonly #entries = new Map<string | null, JournalEntry[]>()

  constructor(simulator: Service) {
    this.#latest = simulator
    this.#follow(null, simulator)
    const { sandboxes } = simulator
    sandboxes.follow((id, sandbox) => {
      for (const known of this.#entries.keys()) {
        if (known !== null && !sandboxes.get(known)) this.#complete(known)
      }
      this.#follow(id, sandbox)
    })
  }

  #follow(id: string | null, simulator: Service): void {
    const { state } = simulator
    simulator.journal.follow((entry) => this.#add(id, entry))
    simulator.journal.followRecords((record) => {
      this.#latest = simulator
      this.#recorder.add(record, state)
    })
  }

  /** Ends the collection. @returns what was used */
  finish(): RunUsage {
    const { usage } = this.#recorder
    addSettings(usage, this.#latest.settings.values)
    for (const id of [...this.#entries.keys()]) this.#complete(id)
    return usage
  }

  #add(id: string | null, entry: JournalEntry): void {
    const latest = this.#entries.get(id)?.at(-1)
    if (latest?.resets !== entry.resets) this.#complete(id)
    const entries = this.#entries.get(id) ?? []
    this.#entries.set(id, entries)
    entries.push(entry)
    if (entries.length > maxEntries) entries.shift()
  }

  /** Adds the mistakes in requests that no further ones belong to, and forgets the requests. */
  #complete(id: string | null): void {
    mergeMistakes(
      this.#recorder.usage.mistakes,
      findClientMistakes(this.#entries.get(id) ?? [], id),
    )
    this.#entries.delete(id)
  }
}

/** Reports on the requests in a journal, under the current settings. @throws UsageError if the journal is disabled */
export function reportJournal(state: State, access: JournalAccess): RunReport {
  const { journal } = state
  if (journal.isOff) {
    throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
  }
  const recorder = new UsageRecorder()
  const { usage } = recorder
  usage.not_covered = journal.evictedCount
  for (const record of journal.records) recorder.add(record, state)
  mergeMistakes(usage.mistakes, access.mistakes())
  addSettings(usage, state.settingTracker.untracked)
  return createRunReport(usage)
}
