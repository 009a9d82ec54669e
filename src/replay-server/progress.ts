import type { Scenario } from '../scenarios/scenario.ts'
import type { UnexpectedRequest } from './nearest-recorded.ts'
import { isPathOf, type Recorded, type RecordedRequest, recordedOf, shownOf } from './recorded.ts'

/** So many unexpected requests are remembered. */
const most = 100

/** What of a recording was asked, and what was asked besides. */
export class Progress {
  readonly recorded: readonly Recorded[]
  #unexpected: readonly UnexpectedRequest[] = []

  constructor(scenario: Scenario) {
    this.recorded = recordedOf(scenario)
  }

  /** Every recorded request, with how often it was asked. */
  get requests(): RecordedRequest[] {
    return this.recorded.map(shownOf)
  }

  /** The recorded requests that nobody has asked. */
  get unused(): RecordedRequest[] {
    return this.requests.filter(({ asked }) => asked === 0)
  }

  /** The latest 100 requests that were not recorded, the oldest first. */
  get unexpected(): readonly UnexpectedRequest[] {
    return this.#unexpected
  }

  /** Whether a path is recorded, whatever the values of the names in it. */
  records(path: string): boolean {
    return this.recorded.some(({ step }) => isPathOf(step, path))
  }

  /** Remembers a request that is not recorded. */
  miss(unexpected: UnexpectedRequest): void {
    this.#unexpected = [...this.#unexpected, unexpected].slice(-most)
  }

  /** Forgets what was asked. */
  clear(): void {
    for (const recorded of this.recorded) recorded.asked = 0
    this.#unexpected = []
  }
}
