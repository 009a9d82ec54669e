import { once } from 'node:events'
import { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { UsageError } from '../utils/errors.ts'
import { unreadableFileError } from '../utils/files.ts'
import { type Input, isStdin, readInput } from '../utils/input.ts'
import { escapeControls } from '../utils/text.ts'

/** What a command line is connected to: a process, or a test. */
export interface CommandStreams {
  /** By default there is none to read */
  readonly stdin?: NodeJS.ReadableStream
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted when the user interrupts the command. Only commands that wait for it read it. */
  readonly signal: AbortSignal
  /** Whether the command serves. Then its output is a log: it can be lost, and nothing waits for its reader at the end. */
  isServing?: boolean
  /** How often a long command says how far it is, in milliseconds, if stderr is no terminal. By default 2,000 */
  readonly progressInterval?: number
}

export class CommandContext {
  /** A command that ends without an error can still set another code. */
  exitCode = 0
  readonly argv: readonly string[]
  readonly stdout: Output
  readonly stderr: Output
  readonly paint: Paint
  readonly #streams: CommandStreams
  #isStdinUsed = false

  constructor(streams: CommandStreams, argv: readonly string[] = []) {
    this.argv = argv
    this.#streams = streams
    this.stdout = streams.stdout
    this.stderr = streams.stderr
    this.paint = painter(streams.stdout)
  }

  get signal(): AbortSignal {
    return this.#streams.signal
  }

  get progressInterval(): number {
    return this.#streams.progressInterval ?? 2_000
  }

  reserveStdin(): void {
    this.#isStdinUsed = true
  }

  /**
   * Reads all of a file, a pipe, or stdin, which `-` names.
   *
   * @param toError what a reason of Node becomes. By default that of a file
   * @throws UsageError
   */
  async read(
    file: string,
    toError: (file: string, error: unknown) => unknown = unreadableFileError,
  ): Promise<Input> {
    // Its getter opens the stream, which the command of exec inherits.
    const openStdin = (): NodeJS.ReadableStream => this.#streams.stdin ?? Readable.from([])
    if (isStdin(file) && this.#isStdinUsed) {
      const reason = 'stdin can be read once, and the command reads it for something else, too'
      throw new UsageError(`Failed to read ${file}: ${reason}. Name a file.`)
    }
    this.#isStdinUsed ||= isStdin(file)
    return readInput(file, openStdin).catch((error) => {
      throw toError(file, error)
    })
  }

  print(text: string): void {
    this.stdout.write(`${escapeOutput(text)}\n`)
  }

  readonly printError = (text: string): void => {
    this.stderr.write(`${escapeOutput(text)}\n`)
  }

  /** Prints the one document that `--json` promises. @param indent 0 for the first line of output that goes on */
  printJson(document: unknown, indent = 2): void {
    this.print(JSON.stringify(document, null, indent))
  }

  startServing(): void {
    this.#streams.isServing = true
  }

  /** Waits until the user interrupts. Call it before you print a URL: its reader may interrupt at once. */
  async interrupted(): Promise<void> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
  }
}

/** Line breaks and colours, which messages contain. */
const keptControls = new RegExp(`(\n|${String.fromCharCode(27)}\\[\\d+m)`)

function escapeOutput(text: string) {
  const parts = text.split(keptControls)
  return parts.map((part, index) => (index % 2 === 0 ? escapeControls(part) : part)).join('')
}

type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What a text means to its reader, which decides its colour. */
export type TextTone = keyof typeof styles

export type Paint = (tone: TextTone, text: string) => string

const styles = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  name: 'cyan',
  faint: 'dim',
  strong: 'bold',
} as const

/** Colours on a terminal unless NO_COLOR is set, and on any stream if FORCE_COLOR is set. */
export function painter(stream: Output): Paint {
  if (!hasColours(stream)) return (_tone, text) => text
  return (tone, text) => styleText(styles[tone], text, { validateStream: false })
}

export function hasColours(stream: Output): boolean {
  return styleText('green', '', { stream }) !== ''
}

export const exitCodes = {
  ok: 0,
  failed: 1,
  usageError: 2,
  portTaken: 3,
  unreachable: 4,
  interrupted: 130,
} as const

export class InterruptedError extends Error {}
