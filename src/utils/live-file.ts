import { abortOf, wait } from './wait.ts'

/** How long something new waits until it is written, in milliseconds. */
const interval = 1_000

/** How many times as long as writing took the next write waits at least, so that a long recording slows no client. */
const restPerWrite = 10

/** Writes a file while its content grows: within a second after something came, and at the end. */
export class LiveFile {
  readonly #write: () => Promise<void>
  readonly #end = new AbortController()
  readonly #writing: Promise<void>
  #isBehind = false

  /** @param onFailure called if the file could not be written, while its content still grows. The next write repeats it */
  constructor(write: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#writing = this.#writeWhileItGrows(onFailure)
  }

  /** Says that there is something to write. */
  grow(): void {
    this.#isBehind = true
  }

  async #writeWhileItGrows(onFailure: (error: unknown) => void): Promise<void> {
    let pause = interval
    while (await wait(pause, abortOf(this.#end.signal))) {
      const start = performance.now()
      await this.#writeRest().catch(onFailure)
      pause = Math.max(interval, restPerWrite * (performance.now() - start))
    }
  }

  async #writeRest(): Promise<void> {
    if (!this.#isBehind) return
    this.#isBehind = false
    try {
      await this.#write()
    } catch (error) {
      this.#isBehind = true
      throw error
    }
  }

  /** Writes the rest. @throws Error as writing does */
  async end(): Promise<void> {
    this.#end.abort()
    await this.#writing
    await this.#writeRest()
  }
}
