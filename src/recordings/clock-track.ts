import type { ChangeStep } from '../scenarios/scenario.ts'
import type { Clock } from '../world/clock.ts'
import type { JournalSpan } from './journal-span.ts'

/** What the clock of a recording shows from step to step. One that runs is nobody's: times are matched. */
export class RecordedClock {
  /** The time that the recording begins at, where its clock stands still: ISO 8601 */
  readonly startTime: string | null
  #time: string | null

  constructor(clock: Clock, { firstMove, records: [first] }: JournalSpan) {
    const { mode } = firstMove?.from ?? clock
    const now = firstMove?.from.now ?? first?.record.at
    this.startTime = mode === 'frozen' && now !== undefined ? new Date(now).toISOString() : null
    this.#time = this.startTime
  }

  /** Takes note of a step that sets the clock. */
  apply(step: ChangeStep): void {
    if ('clock' in step)
      this.#time = typeof step.clock === 'string' && step.clock !== 'real' ? step.clock : null
  }

  /** What sets it to the time of a request; null where it shows that, or runs. */
  stepTo(time: number): ChangeStep | null {
    const wanted = new Date(time).toISOString()
    if (this.#time === null || this.#time === wanted) return null
    this.#time = wanted
    return { clock: wanted }
  }
}
