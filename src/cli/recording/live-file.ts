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
  #timer: NodeJS.Timeout | null = null
  #pause = interval
  #writing: Promise<void> = Promise.resolve()

  /** @param onFailure called if the file could not be written, while its content still grows. The next write repeats it */
  constructor(write: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  /** Says that there is something to write. */
  grow(): void {
    this.#isBehind = true
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#writing = this.#writing.then(() => this.#writeNow()).catch(this.#onFailure)
    }, this.#pause)
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
    clearTimeout(this.#timer ?? undefined)
    await this.#writing
    if (this.#isBehind) await this.#writeNow()
  }
}
