import { type Output, type Paint, painter } from './output/paint.ts'

/** What a command line is connected to: a process, or a test. */
export interface CommandStreams {
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted when the user interrupts the command. Only commands that wait for it read it. */
  readonly signal: AbortSignal
}

/** What a command prints to, how it is interrupted, and its exit code. */
export class CommandContext {
  /** A command that ends without an error can still set another code. */
  exitCode = 0
  /** Colours for stdout. */
  readonly paint: Paint
  readonly #streams: CommandStreams

  constructor(streams: CommandStreams) {
    this.#streams = streams
    this.paint = painter(streams.stdout)
  }

  get stdout(): Output {
    return this.#streams.stdout
  }

  get stderr(): Output {
    return this.#streams.stderr
  }

  /** Aborted when the user interrupts the command. */
  get signal(): AbortSignal {
    return this.#streams.signal
  }

  /** Prints a line to stdout. */
  print(text: string): void {
    this.stdout.write(`${text}\n`)
  }

  /** Prints a line to stderr. */
  printError(text: string): void {
    this.stderr.write(`${text}\n`)
  }

  /** Prints the one document that `--json` promises. */
  printJson(document: unknown): void {
    this.print(JSON.stringify(document, null, 2))
  }

  /** Prints a document as the first line of output that goes on. */
  printJsonLine(document: unknown): void {
    this.print(JSON.stringify(document))
  }

  /** Resolves when the user interrupts the command. */
  interrupted(): Promise<void> {
    const { signal } = this
    return new Promise((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}
