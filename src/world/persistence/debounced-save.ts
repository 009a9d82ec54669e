import { wait } from '../../utils/wait.ts'

/** In milliseconds. A pause this long after a change, and what changed is saved. */
const PAUSE = 200
/** Without a pause it is saved after this many of them: once a second. */
const MAX_PAUSES = 5

/**
 * Decides when to save: soon after changes, never twice at once, and seldom enough that changing stays quick.
 * Who fails to save is told once, until it works again; what is unsaved is tried again with the next change.
 */
export class DebouncedSave {
  readonly #save: () => Promise<void>
  readonly #onError: (error: unknown) => void
  /** Ends the pause that is waited for. */
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

  /** Something is to be saved. Called at each change, so it does next to nothing. */
  schedule(): void {
    this.#isUnsaved = true
    if (this.#cancel || this.#running) this.#changedDuringPause = true
    else this.#wait()
  }

  /** Saves what is unsaved now. @returns whether all is saved */
  async flush(): Promise<boolean> {
    // Several may wait for the same one: the first to go on begins the next, which the others wait for as well.
    while (this.#running) await this.#running
    this.#cancel?.()
    this.#cancel = null
    return this.#isUnsaved ? this.#run() : true
  }

  #wait(): void {
    if (this.#cancel) return
    const waiting = wait(PAUSE, (cancel) => {
      this.#cancel = cancel
      return () => {}
    })
    waiting.then((hasPassed) => hasPassed && this.#cancel && this.#checkPause())
  }

  #checkPause(): void {
    this.#cancel = null
    this.#pauses += 1
    const isMoving = this.#changedDuringPause
    this.#changedDuringPause = false
    if (isMoving && this.#pauses < MAX_PAUSES) this.#wait()
    else void this.#run()
  }

  /** @returns whether it went well */
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
