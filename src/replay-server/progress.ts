import type { Scenario } from '../scenarios/scenario.ts'
import type { UnexpectedRequest } from './nearest-recorded.ts'
import {
  hasPathOfStep,
  type RecordedRequest,
  type TrackedRequest,
  toRecordedRequest,
  toTrackedRequests,
} from './recorded.ts'

/** So many unexpected requests are remembered. */
const maxUnexpected = 100

/** What of a recording was asked, and what was asked besides. */
export class RecordingProgress {
  readonly recorded: readonly TrackedRequest[]
  #unexpected: readonly UnexpectedRequest[] = []

  constructor(scenario: Scenario) {
    this.recorded = toTrackedRequests(scenario)
  }

  /** Every recorded request, with how often it was asked. */
  get requests(): RecordedRequest[] {
    return this.recorded.map(toRecordedRequest)
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
  hasPath(path: string): boolean {
    return this.recorded.some(({ step }) => hasPathOfStep(step, path))
  }

  /** Remembers a request that is not recorded. */
  addUnexpected(unexpected: UnexpectedRequest): void {
    this.#unexpected = [...this.#unexpected, unexpected].slice(-maxUnexpected)
  }

  /** Forgets what was asked. */
  clear(): void {
    for (const recorded of this.recorded) recorded.asked = 0
    this.#unexpected = []
  }
}
