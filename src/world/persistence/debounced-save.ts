import { wait } from '../../utils/wait.ts'

/** In milliseconds: a change is saved after this long without another change. */
const PAUSE = 200
/** Continuous changes are saved after this many pauses: once a second. */
const MAX_PAUSES = 5

/**
 * Saves soon after changes, never twice at once, and rarely enough that writes stay fast. An error is reported once
 * until saving works again. After a failure, the next change tries again.
 */
export class DebouncedSave {
  readonly #save: () => Promise<void>
  readonly #onError: (error: unknown) => void
  /** Cancels the current pause. */
  #cancel: (() => void) | null = null
  #pauses = 0
  #changedDuringPause = false
  #isUnsaved = false
  #hasFailed = false
  #running: Promise<boolean> | null = null

  constructor(save: () => Promise<void>, onError: (error: unknown) => void) {
    this.#save = save
    this.#onError = onError
  }

  /** Schedules a save. Called for each change, so it does almost nothing. */
  schedule(): void {
    this.#isUnsaved = true
    if (this.#cancel || this.#running) this.#changedDuringPause = true
    else this.#wait()
  }

  /** Saves unsaved changes now. @returns whether everything is saved */
  async flush(): Promise<boolean> {
    // Several callers can wait for the same save. The first one to continue starts the next save, for all of them.
    while (this.#running) await this.#running
    this.#cancel?.()
    this.#cancel = null
    return this.#isUnsaved ? this.#run() : true
  }

  #wait(): void {
    if (this.#cancel) return
    const pause = wait(PAUSE, (cancel) => {
      this.#cancel = cancel
      return () => {}
    })
    pause.then((isOver) => isOver && this.#cancel && this.#endPause())
  }

  #endPause(): void {
    this.#cancel = null
    this.#pauses += 1
    const isChanging = this.#changedDuringPause
    this.#changedDuringPause = false
    if (isChanging && this.#pauses < MAX_PAUSES) this.#wait()
    else void this.#run()
  }

  /** @returns whether the save succeeded */
  #run(): Promise<boolean> {
    this.#pauses = 0
    this.#changedDuringPause = false
    this.#isUnsaved = false
    this.#running = this.#attempt().finally(() => {
      this.#running = null
      if (this.#changedDuringPause) this.#wait()
    })
    return this.#running
  }

  async #attempt(): Promise<boolean> {
    try {
      await this.#save()
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
