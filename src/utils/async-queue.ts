type Step = IteratorResult<Uint8Array, undefined>

const done: Step = { done: true, value: undefined }

/** Where pieces come from. */
export interface QueueSource {
  /** The next piece; null where it has not come yet, `end` where there will be no more */
  read(): Uint8Array | 'end' | null
  /** Told once when nobody reads on, whoever ended it */
  close(): void
}

/**
 * Pieces for whoever reads them, as they come.
 *
 * @note Not an async generator: one that waits cannot be ended before it has waited to the end.
 */
export class AsyncQueue implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: QueueSource
  /** Those who wait for what comes next, the first to be told first. */
  #waiting: ((step: Step) => void)[] = []
  #isEnded = false

  constructor(source: QueueSource) {
    this.#source = source
  }

  async next(): Promise<Step> {
    return (
      this.#step() ??
      new Promise((resolve) => {
        this.#waiting.push(resolve)
      })
    )
  }

  async return(): Promise<Step> {
    this.end()
    return done
  }

  /** Told when a piece may have come. */
  notify(): void {
    while (this.#waiting.length > 0) {
      const step = this.#step()
      if (!step) return
      this.#waiting.shift()?.(step)
    }
  }

  /** Ends it for all who wait. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#source.close()
    for (const resolve of this.#waiting.splice(0)) resolve(done)
  }

  #step(): Step | null {
    const piece = this.#isEnded ? 'end' : this.#source.read()
    if (piece === null) return null
    if (piece !== 'end') return { done: false, value: piece }
    this.end()
    return done
  }
}

/** A server-sent event, or a comment between them. */
export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
