import { wait } from '../../utils/wait.ts'
import type { PersistenceStatus } from './saved-state.ts'

/** When changes are saved, in milliseconds. */
interface SaveTimes {
  /** A change is saved after this long without another change. */
  readonly pause: number
  /** Continuous changes are saved within this time, and a failed save is tried again after it. */
  readonly maxWait: number
}

/**
 * Saves soon after changes, and never twice at once. A failed save is tried again until it succeeds. An error is reported
 * once until saving works again.
 */
export class DebouncedSave {
  readonly #save: () => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #times: SaveTimes
  /** Cancels the current pause. */
  #cancel: (() => void) | null = null
  /** The time of the first change that the next save has. Time also passes while an earlier save is written. */
  #since = 0
  #changedDuringPause = false
  #isUnsaved = false
  /** Whether the next save starts when the current one ends. */
  #isDue = false
  #hasFailed = false
  #isClosed = false
  #running: Promise<boolean> | null = null
  /** How long the last save took, in milliseconds */
  #duration = 0

  constructor(
    save: () => Promise<void>,
    onError: (error: unknown) => void,
    times: SaveTimes = { pause: 200, maxWait: 1_000 },
  ) {
    this.#save = save
    this.#onError = onError
    this.#times = times
  }

  get status(): PersistenceStatus {
    if (this.#hasFailed) return 'failing'
    return this.#isUnsaved || this.#running ? 'unsaved' : 'saved'
  }

  /** Schedules a save. Called for each change, so it does almost nothing. */
  schedule(): void {
    this.#isUnsaved = true
    this.#changedDuringPause = true
    if (!this.#cancel && !this.#isDue) this.#startWaiting()
  }

  /** Saves unsaved changes now. @returns whether everything is saved */
  async flush(): Promise<boolean> {
    // Several callers can wait for the same save. The first one to continue starts the next save, for all of them.
    while (this.#running) await this.#running
    return this.#isUnsaved ? this.#run() : true
  }

  /** Saves unsaved changes now, for the last time. @returns whether everything is saved */
  close(): Promise<boolean> {
    this.#isClosed = true
    return this.flush()
  }

  #startWaiting(): void {
    if (this.#cancel || this.#isClosed) return
    this.#since = performance.now()
    this.#wait()
  }

  /** When the next save must start: it takes as long as the last one, and timers of a busy machine are late. */
  get #deadline(): number {
    const { pause, maxWait } = this.#times
    const lead = Math.min(this.#duration * 1.25 + maxWait * 0.3, maxWait - pause)
    return this.#since + maxWait - (this.#hasFailed ? 0 : lead)
  }

  #wait(): void {
    this.#changedDuringPause = false
    const rest = this.#deadline - performance.now()
    const pause = wait(this.#hasFailed ? rest : Math.min(this.#times.pause, rest), (cancel) => {
      this.#cancel = cancel
      return () => {}
    })
    pause.then((isOver) => isOver && this.#cancel && this.#endPause())
  }

  #endPause(): void {
    this.#cancel = null
    if (this.#changedDuringPause && performance.now() < this.#deadline) this.#wait()
    else if (this.#running) this.#isDue = true
    else void this.#run()
  }

  /** @returns whether the save succeeded */
  #run(): Promise<boolean> {
    this.#cancel?.()
    this.#cancel = null
    this.#isDue = false
    this.#isUnsaved = false
    this.#running = this.#attempt().finally(() => {
      this.#running = null
      if (this.#hasFailed) this.#startWaiting()
      else if (this.#isDue) void this.#run()
    })
    return this.#running
  }

  async #attempt(): Promise<boolean> {
    const start = performance.now()
    try {
      await this.#save()
      this.#duration = performance.now() - start
      this.#hasFailed = false
      return true
    } catch (error) {
      this.#isUnsaved = true
      if (!this.#hasFailed) this.#onError(error)
      this.#hasFailed = true
      return false
    }
  }
}
