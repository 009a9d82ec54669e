import type { Writable } from 'node:stream'
import { wait } from '../../utils/wait.ts'

/** In milliseconds: how long a line waits for others at most. Nobody reads faster. */
const flushDelay = 20

/** Prints lines together that come one after another: for each that is printed alone, its reader is woken up. */
export class LineBuffer {
  readonly #stream: Pick<Writable, 'write'>
  #lines: (() => string)[] = []

  constructor(stream: Pick<Writable, 'write'>) {
    this.#stream = stream
  }

  /** One more line, which is put together when it is printed. */
  add(line: () => string): void {
    this.#lines.push(line)
    if (this.#lines.length === 1) void wait(flushDelay).then(() => this.flush())
  }

  /** Prints what waits: before anything is said elsewhere. */
  flush(): void {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#lines = []
    this.#stream.write(lines.map((line) => `${line()}\n`).join(''))
  }
}

/** Writes lines together that come in one turn: writing each alone would cost as much as answering. */
export class ImmediateLineBuffer {
  readonly #write: (text: string) => void
  #waiting = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  add(line: string): void {
    if (this.#waiting === '') setImmediate(() => this.flush())
    this.#waiting += `${line}\n`
  }

  /** Writes what waits. */
  flush(): void {
    const text = this.#waiting
    this.#waiting = ''
    if (text !== '') this.#write(text)
  }
}
