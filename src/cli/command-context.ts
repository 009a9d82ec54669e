import { once } from 'node:events'
import { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { CommanderError } from 'commander'
import { isUsageError, UsageError } from '../utils/errors.ts'
import { unreadableFileError } from '../utils/files.ts'
import { type Input, isStdin, readInput } from '../utils/input.ts'
import { UnreachableError } from '../utils/network.ts'
import { escapeControls } from '../utils/text.ts'
import { BadUseError } from './parsed-command.ts'

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
  /** The words of the command line */
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

  /** Says that stdin has something else than a file. */
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

  /** Bound, so that it can be passed on. */
  readonly printError = (text: string): void => {
    this.stderr.write(`${escapeOutput(text)}\n`)
  }

  /** Prints the one document that `--json` promises. @param indent 0 for the first line of output that goes on */
  printJson(document: unknown, indent = 2): void {
    this.print(JSON.stringify(document, null, indent))
  }

  /** Says that the command serves, so that the loss of its output is no failure. */
  startServing(): void {
    this.#streams.isServing = true
  }

  /** Waits until the user interrupts. */
  async interrupted(): Promise<void> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
  }
}

/** Line breaks and colours, which messages contain. */
const keptControls = new RegExp(`(\n|${String.fromCharCode(27)}\\[\\d+m)`)

function escapeOutput(text: string): string {
  const parts = text.split(keptControls)
  return parts.map((part, index) => (index % 2 === 0 ? escapeControls(part) : part)).join('')
}

export type Output = NodeJS.WritableStream & {
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

/** The user ended a command before its result. */
export class InterruptedError extends Error {}

interface FailedCommand {
  /** Empty if none was named */
  readonly command: string
  readonly json: boolean
  /** The commands that have a flag */
  readonly commandsWith: (flag: string) => readonly string[]
}

/** Prints why a command failed, without a stack. @returns the exit code */
export function reportFailure(
  error: unknown,
  failed: FailedCommand,
  context: CommandContext,
): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
  const { message, code } = toFailure(error, failed)
  // The issues of a file, each with its path.
  const { issues = [] } = error as { issues?: readonly string[] }
  // The start is coloured: the task that failed, or the first sentence.
  const [start = ''] = /^[^\n]*?(?::(?= )|\.(?=\s|$))/.exec(message) ?? []
  const colouredStart = start && painter(context.stderr)('bad', start)
  context.printError(colouredStart + message.slice(start.length))
  if (failed.json) context.printJson({ error: { message, issues, exit_code: code } }, 0)
  return code
}

function toFailure(error: unknown, failed: FailedCommand): { message: string; code: number } {
  if (error instanceof BadUseError) {
    return { message: describeBadUse(error, failed), code: exitCodes.usageError }
  }
  type Details = { readonly port?: number; readonly address?: string; readonly hostname?: string }
  const failure = error as NodeJS.ErrnoException & Details
  const { code, message, syscall, port, address, hostname = address } = failure
  if (code === 'EADDRINUSE') {
    return {
      message: `Port ${port} is already in use. Choose another with --port, or any free port with --port 0.`,
      code: exitCodes.portTaken,
    }
  }
  if (syscall === 'uv_cwd') {
    return {
      message:
        'The working directory does not exist any more. Change to another folder, and try again.',
      code: exitCodes.usageError,
    }
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return {
      message: `Failed to listen on ${hostname}${port === undefined ? '' : `, port ${port}`} (${code}).${chooseAddress(failed)}`,
      code: exitCodes.usageError,
    }
  }
  if (error instanceof UnreachableError) return { message, code: exitCodes.unreachable }
  if (error instanceof InterruptedError) return { message, code: exitCodes.interrupted }
  return { message, code: isUsageError(error) ? exitCodes.usageError : exitCodes.failed }
}

/** Names the flags that the command has. */
function chooseAddress({ command, commandsWith }: FailedCommand): string {
  const has = (flag: string): boolean => commandsWith(flag).includes(command || 'serve')
  const choices = [
    ...(has('--host') ? ['another address with --host'] : []),
    ...(has('--port') || command === 'record' ? ['another port with --port'] : []),
  ]
  return choices.length === 0 ? '' : ` Choose ${choices.join(', or ')}.`
}

/** What to do without a flag that only other commands have. */
const cures: Readonly<Record<string, string>> = {
  '--port': ' Each run has a free port, and UNDERSTUDY_URL names it.',
  '--state': ' It starts with the rows of --world each time, and forgets them at the end.',
}

function describeBadUse(
  { message, unknownFlag, hasCure }: BadUseError,
  { command, commandsWith }: FailedCommand,
): string {
  const others = unknownFlag === null ? [] : commandsWith(unknownFlag)
  if (unknownFlag !== null && others.length > 0) {
    const isWrapper = command === 'exec' || command === 'sweep'
    const names = new Intl.ListFormat('en-GB').format(others)
    return `${unknownFlag} is a flag of ${names}, not of ${command || 'serve'}.${isWrapper ? (cures[unknownFlag] ?? '') : ''}`
  }
  if (hasCure) return message
  const help = ['npx understudy-api', command, '--help'].filter((word) => word !== '').join(' ')
  return `${message} Run ${help} for usage.`
}
