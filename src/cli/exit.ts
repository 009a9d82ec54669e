import { CommanderError } from 'commander'
import { UnreachableError } from '../scenarios/unreachable.ts'
import { complaint } from './output/paint.ts'
import { printJsonLine } from './output/print-json.ts'

/** What the command line ends with. */
export const exitCodes = { ok: 0, failed: 1, badUse: 2, portTaken: 3, unreachable: 4 } as const

/** Why a command failed. */
interface Failure {
  readonly message: string
  readonly code: number
  /** Where there are several: each with its path */
  readonly faults?: readonly string[]
}

interface Failed extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly port?: number
  readonly address?: string
  readonly hostname?: string
  readonly faults?: readonly string[]
}

/** What was asked for. */
interface Asked {
  /** The name of the command, or nothing */
  readonly command: string
  /** Whether stdout holds one document of JSON */
  readonly json: boolean
}

/** Tells on stderr why a command failed, never with a stack, and gives the exit code for it. */
export function exitCodeOf(error: unknown, { command, json }: Asked): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
  const { message, code, faults = [] } = failureOf(error, command)
  console.error(complaint(message))
  if (json) printJsonLine({ error: { message, faults, exit_code: code } })
  return code
}

function failureOf(error: unknown, command: string): Failure {
  if (error instanceof CommanderError) {
    return { message: sentenceOf(error, command), code: exitCodes.badUse }
  }
  const { name, code, message, syscall, port, address, hostname = address } = error as Failed
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
      code: exitCodes.badUse,
    }
  }
  // By name: the error may come from another copy of our code, since the bin is a bundle.
  if (error instanceof UnreachableError) return { message, code: exitCodes.unreachable }
  const { faults = [] } = error as Failed
  return { message, faults, code: name === 'UsageError' ? exitCodes.badUse : exitCodes.failed }
}

function sentenceOf({ message }: CommanderError, command: string): string {
  const [reason = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const hint = hints.join(' ').replace(/^\((.*)\)$/, ' $1')
  const help = ['understudy', command, '--help'].filter((word) => word !== '').join(' ')
  return `Failed to read the command line: ${reason.replace(/\.$/, '')}.${hint} ${help} lists what it takes.`
}
