import { formatIsoTime } from '../../world/clock/time.ts'
import type { ChangeStep } from '../format/scenario.ts'

/** The frozen clock of a recording. Steps between the requests move it, so that a replay shows the same times. */
export class RecordedClock {
  /** Null if the clock runs. Then times are matched, not repeated. */
  #time: string | null

  /** @param start in milliseconds since 1970, or null if the clock runs */
  constructor(start: number | null) {
    this.#time = start === null ? null : formatIsoTime(start)
  }

  /** ISO 8601, UTC. Null if the clock runs. */
  get time(): string | null {
    return this.#time
  }

  /** Follows a step that sets the clock. */
  apply(step: ChangeStep): void {
    if (!('clock' in step)) return
    this.#time = typeof step.clock === 'string' && step.clock !== 'real' ? step.clock : null
  }

  /** The step that moves the clock to a time, or null if it already shows that time or runs. */
  moveTo(milliseconds: number): ChangeStep | null {
    const time = formatIsoTime(milliseconds)
    if (this.#time === null || this.#time === time) return null
    this.#time = time
    return { clock: time }
  }
}
