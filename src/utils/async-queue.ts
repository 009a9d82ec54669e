type QueueResult = IteratorResult<Uint8Array, undefined>

const done: QueueResult = { done: true, value: undefined }

interface QueueSource {
  /** Returns the next chunk, null if it is not available yet, or `end` after the last one. */
  read(): Uint8Array | 'end' | null
  /** Called once, when the source has ended or the consumer stops reading. */
  close(): void
}

/**
 * Chunks of bytes for one or more consumers, which wait until the source has produced them.
 *
 * @note This is not an async generator: `return()` on a generator that is waiting takes effect only after the wait.
 */
export class AsyncQueue implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: QueueSource
  /** Consumers that wait for a chunk, in the order in which they asked. */
  #waiting: ((result: QueueResult) => void)[] = []
  #isEnded = false

  constructor(source: QueueSource) {
    this.#source = source
  }

  async next(): Promise<QueueResult> {
    return (
      this.#read() ??
      new Promise((resolve) => {
        this.#waiting.push(resolve)
      })
    )
  }

  async return(): Promise<QueueResult> {
    this.end()
    return done
  }

  /** Call this when the source may have a new chunk. */
  notify(): void {
    while (this.#waiting.length > 0) {
      const result = this.#read()
      if (!result) return
      this.#waiting.shift()?.(result)
    }
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#source.close()
    for (const resolve of this.#waiting.splice(0)) resolve(done)
  }

  #read(): QueueResult | null {
    const chunk = this.#isEnded ? 'end' : this.#source.read()
    if (chunk === null) return null
    if (chunk !== 'end') return { done: false, value: chunk }
    this.end()
    return done
  }
}

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
