import type { ChangeStep } from '../scenarios/scenario.ts'
import type { Clock } from '../world/clock.ts'
import type { Span } from './journal-span.ts'

/** What the clock of a recording shows from step to step. One that runs is nobody's: times are matched. */
export class ClockTrack {
  /** The time that the recording begins at, where its clock stands still: ISO 8601 */
  readonly beginning: string | null
  #time: string | null

  constructor(clock: Clock, { firstMove, records: [first] }: Span) {
    const { mode } = firstMove?.from ?? clock
    const now = firstMove?.from.now ?? first?.record.at
    this.beginning = mode === 'frozen' && now !== undefined ? new Date(now).toISOString() : null
    this.#time = this.beginning
  }

  /** Takes note of a step that sets the clock. */
  changed(step: ChangeStep): void {
    if ('clock' in step)
      this.#time = typeof step.clock === 'string' && step.clock !== 'real' ? step.clock : null
  }

  /** What sets it to the time of a request; null where it shows that, or runs. */
  at(time: number): ChangeStep | null {
    const wanted = new Date(time).toISOString()
    if (this.#time === null || this.#time === wanted) return null
    this.#time = wanted
    return { clock: wanted }
  }
}
