import { once } from 'node:events'
import { styleText } from 'node:util'

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
  readonly stdout: Output
  readonly stderr: Output
  /** Colours for stdout. */
  readonly paint: Paint
  readonly #streams: CommandStreams

  constructor(streams: CommandStreams) {
    this.#streams = streams
    this.stdout = streams.stdout
    this.stderr = streams.stderr
    this.paint = painter(streams.stdout)
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
  async interrupted(): Promise<void> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
  }
}

/** A stream that the command line prints to, such as `process.stdout`. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What a text means to its reader, which decides its colour. */
export type TextTone = keyof typeof styles

/** Colours a text by its tone, on streams that show colours. */
export type Paint = (tone: TextTone, text: string) => string

const styles = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  name: 'cyan',
  faint: 'dim',
  strong: 'bold',
} as const

/**
 * Returns the colours of a stream: of a terminal, unless NO_COLOR is set; of any stream if FORCE_COLOR is set.
 *
 * @example painter(process.stdout)('good', '✓')
 */
export function painter(stream: Output): Paint {
  if (!hasColours(stream)) return (_tone, text) => text
  return (tone, text) => styleText(styles[tone], text, { validateStream: false })
}

/** Whether a stream shows colours. */
export function hasColours(stream: Output): boolean {
  return styleText('green', '', { stream }) !== ''
}
