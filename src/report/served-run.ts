import type { RequestFinding } from '../utils/reports/report.ts'
import { type Reported, requireJournal, usageOf } from './report-journal.ts'
import { createRunReport, type RunReport } from './run-report.ts'
import { emptyUsage, mergeUsage, type RunUsage } from './run-usage.ts'

interface Server extends Reported {
  readonly sandboxes: {
    list(): readonly { readonly id: string }[]
    get(id: string): Reported | undefined
    followEnd(listener: (id: string, simulator: Reported) => void): void
  }
}

/** What the clients of a server used and did wrong, in its own world and in its sandboxes, also in those that ended. */
export class ServedRun {
  readonly #server: Server
  #ended: RunUsage = emptyUsage()

  constructor(server: Server) {
    this.#server = server
    server.sandboxes.followEnd((id, sandbox) => {
      mergeUsage(this.#ended, usageOf(sandbox, id))
    })
  }

  mistakes(): readonly RequestFinding[] {
    return this.#usage().mistakes
  }

  /** @throws UsageError if the journal is disabled */
  report(): RunReport {
    requireJournal(this.#server)
    return createRunReport(this.#usage())
  }

  /** Forgets the sandboxes that ended. */
  clear(): void {
    this.#ended = emptyUsage()
  }

  #usage(): RunUsage {
    const usage = usageOf(this.#server)
    const { sandboxes } = this.#server
    for (const { id } of sandboxes.list()) {
      const sandbox = sandboxes.get(id)
      if (sandbox) mergeUsage(usage, usageOf(sandbox, id))
    }
    mergeUsage(usage, this.#ended)
    return usage
  }
}
