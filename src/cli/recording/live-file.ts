import { wait } from '../../utils/wait.ts'

/** How long something new waits until it is written, in milliseconds. */
const interval = 1_000

/** How many times as long as writing took the next write waits at least, so that a long recording slows no client. */
const restPerWrite = 10

/** Writes a file while its content grows: within a second after something came, and at the end. */
export class LiveFile {
  readonly #write: () => Promise<void>
  readonly #onFailure: (error: unknown) => void
  /** Whether the file lacks something. */
  #isBehind = false
  #isWaiting = false
  #isEnded = false
  #pause = interval
  #writing: Promise<void> = Promise.resolve()
  #stopWaiting: () => void = () => {}

  /** @param onFailure called if the file could not be written, while its content still grows. The next write repeats it */
  constructor(write: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  /** Says that there is something to write. */
  grow(): void {
    this.#isBehind = true
    if (this.#isWaiting) return
    this.#isWaiting = true
    const onAbort = (stop: () => void): (() => void) => {
      this.#stopWaiting = stop
      return () => {}
    }
    void wait(this.#pause, onAbort).then((isOver) => {
      this.#isWaiting = false
      if (isOver && !this.#isEnded) {
        this.#writing = this.#writing.then(() => this.#writeNow()).catch(this.#onFailure)
      }
    })
  }

  async #writeNow(): Promise<void> {
    const start = performance.now()
    this.#isBehind = false
    try {
      await this.#write()
    } catch (error) {
      this.#isBehind = true
      throw error
    }
    this.#pause = Math.max(interval, restPerWrite * (performance.now() - start))
  }

  /** Writes the rest. @throws Error as writing does */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#stopWaiting()
    await this.#writing
    if (this.#isBehind) await this.#writeNow()
  }
}
