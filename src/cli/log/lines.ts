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
