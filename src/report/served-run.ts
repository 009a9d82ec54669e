import type { RunReport } from '../simulator/run-report.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import type { RequestFinding } from '../utils/reports/report.ts'
import { usageOf } from './recorded-usage.ts'
import { createRunReport } from './run-report.ts'
import { emptyUsage, mergeUsage, type RunUsage } from './run-usage.ts'

/** Reports on the requests in a journal. @throws UsageError if the journal is disabled */
export function reportJournal(simulator: Simulator): RunReport {
  requireJournal(simulator)
  return createRunReport(usageOf(simulator))
}

/** @throws UsageError if the journal is disabled */
function requireJournal({ state }: Simulator): void {
  if (!state.journal.isOff) return
  throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
}

/** What the clients of a server used and did wrong, in its own world and in its sandboxes, also in those that ended. */
export class ServedRun {
  readonly #simulator: Simulator
  #ended: RunUsage = emptyUsage()

  constructor(simulator: Simulator) {
    this.#simulator = simulator
    simulator.sandboxes.followEnd((id, sandbox) => {
      mergeUsage(this.#ended, usageOf(sandbox, id))
    })
  }

  mistakes(): readonly RequestFinding[] {
    return this.#usage().mistakes
  }

  /** @throws UsageError if the journal is disabled */
  report(): RunReport {
    requireJournal(this.#simulator)
    return createRunReport(this.#usage())
  }

  /** Forgets the sandboxes that ended. */
  clear(): void {
    this.#ended = emptyUsage()
  }

  #usage(): RunUsage {
    const usage = usageOf(this.#simulator)
    const { sandboxes } = this.#simulator
    for (const { id } of sandboxes.list()) {
      const sandbox = sandboxes.get(id)
      if (sandbox) mergeUsage(usage, usageOf(sandbox, id))
    }
    mergeUsage(usage, this.#ended)
    return usage
  }
}
