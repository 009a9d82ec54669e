import { wait } from '../../utils/wait.ts'
import type { Output } from '../command-context.ts'

/** Collects lines and prints them together, because each write wakes the reader up. */
export class LineBuffer {
  readonly #stream: Pick<Output, 'write'>
  readonly #delay: number
  #lines: (() => string)[] = []

  /** @param delay the longest time that a line waits, in milliseconds; 0 prints the lines of one turn together */
  constructor(stream: Pick<Output, 'write'>, delay: number) {
    this.#stream = stream
    this.#delay = delay
  }

  /** Adds a line. Its text is created when it is printed. */
  add(line: () => string): void {
    this.#lines.push(line)
    if (this.#lines.length > 1) return
    if (this.#delay === 0) setImmediate(() => this.flush())
    else void wait(this.#delay).then(() => this.flush())
  }

  /** Prints all lines now. */
  flush(): void {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#lines = []
    this.#stream.write(lines.map((line) => `${line()}\n`).join(''))
  }
}
