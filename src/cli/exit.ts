import { CommanderError } from 'commander'
import { UnreachableError } from '../scenarios/run/read-response.ts'
import { formatErrorMessage, printJsonLine } from './output/print.ts'

/** What the command line ends with. */
export const exitCodes = { ok: 0, failed: 1, usageError: 2, portTaken: 3, unreachable: 4 } as const

/** Why a command failed. */
interface CommandFailure {
  readonly message: string
  readonly code: number
  /** Where there are several: each with its path */
  readonly issues?: readonly string[]
}

interface NodeError extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly port?: number
  readonly address?: string
  readonly hostname?: string
  readonly issues?: readonly string[]
}

/** What was asked for. */
interface Invocation {
  /** The name of the command, or nothing */
  readonly command: string
  /** Whether stdout holds one document of JSON */
  readonly json: boolean
}

/** Tells on stderr why a command failed, never with a stack, and gives the exit code for it. */
export function reportFailure(error: unknown, { command, json }: Invocation): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
  const { message, code, issues = [] } = toCommandFailure(error, command)
  console.error(formatErrorMessage(message))
  if (json) printJsonLine({ error: { message, issues, exit_code: code } })
  return code
}

function toCommandFailure(error: unknown, command: string): CommandFailure {
  if (error instanceof CommanderError) {
    return { message: commanderMessage(error, command), code: exitCodes.usageError }
  }
  const { name, code, message, syscall, port, address, hostname = address } = error as NodeError
  if (code === 'EADDRINUSE') {
    return {
      message:
        `Failed to listen on port ${port}: expected a free port, got one that is taken. ` +
        'Choose another with --port, or any free one with --port 0.',
      code: exitCodes.portTaken,
    }
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return {
      message:
        `Failed to listen on ${hostname}: expected an address of this machine and a port that may be ` +
        `used, got ${code}. Choose others with --host and --port.`,
      code: exitCodes.usageError,
    }
  }
  // By name: the error may come from another copy of our code, since the bin is a bundle.
  if (error instanceof UnreachableError) return { message, code: exitCodes.unreachable }
  const { issues = [] } = error as NodeError
  return { message, issues, code: name === 'UsageError' ? exitCodes.usageError : exitCodes.failed }
}

/** Flags of earlier versions, and what to do instead. */
const removedFlags: Readonly<Record<string, string>> = {
  '--lane': 'Pass `lane` to `listen()`.',
  '--stock': 'Pass `stock` to `listen()`.',
}

function commanderMessage({ message }: CommanderError, command: string): string {
  const [, flag = ''] = /^error: unknown option '([^'=]+)/.exec(message) ?? []
  if (Object.hasOwn(removedFlags, flag)) return `"${flag}" was removed. ${removedFlags[flag]}`
  const [reason = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const hint = hints.join(' ').replace(/^\((.*)\)$/, ' $1')
  const help = ['understudy', command, '--help'].filter((word) => word !== '').join(' ')
  return `Failed to read the command line: ${reason.replace(/\.$/, '')}.${hint} ${help} lists what it takes.`
}

/** Waits until the process is told to end: by Ctrl-C, or by whoever started it. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
