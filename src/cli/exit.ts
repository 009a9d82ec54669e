import { CommanderError } from 'commander'
import { UnreachableError } from '../scenarios/run/target.ts'
import { type CommandContext, painter } from './command-context.ts'

/** The exit codes of the command line. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usageError: 2,
  portTaken: 3,
  unreachable: 4,
  interrupted: 130,
} as const

/**
 * Prints why a command failed, without a stack.
 *
 * @param command the name of the command, or an empty string
 * @param json whether stdout is one JSON document
 * @returns the exit code
 */
export function reportFailure(
  error: unknown,
  { command, json }: { command: string; json: boolean },
  context: CommandContext,
): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
  const { message, code } = toFailure(error, command)
  // The issues of a file, each with its path.
  const { issues = [] } = error as { issues?: readonly string[] }
  // The start is coloured: the task that failed, or the first sentence.
  const [start = ''] = /^[^\n]*?(?::(?= )|\.(?=\s|$))/.exec(message) ?? []
  const colouredStart = start && painter(context.stderr)('bad', start)
  context.printError(colouredStart + message.slice(start.length))
  if (json) context.printJsonLine({ error: { message, issues, exit_code: code } })
  return code
}

interface NodeError extends NodeJS.ErrnoException {
  readonly port?: number
  readonly address?: string
  readonly hostname?: string
}

function toFailure(error: unknown, command: string): { message: string; code: number } {
  if (error instanceof CommanderError) {
    return { message: describeCommanderError(error, command), code: exitCodes.usageError }
  }
  const { name, code, message, syscall, port, address, hostname = address } = error as NodeError
  if (code === 'EADDRINUSE') {
    return {
      message: `Port ${port} is already in use. Choose another with --port, or any free port with --port 0.`,
      code: exitCodes.portTaken,
    }
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return {
      message: `Failed to listen on ${hostname}${port === undefined ? '' : `, port ${port}`} (${code}). Choose another address with --host, or another port with --port.`,
      code: exitCodes.usageError,
    }
  }
  if (error instanceof UnreachableError) return { message, code: exitCodes.unreachable }
  // By name: the bin is a bundle, so the error can be from another copy of the class.
  return { message, code: name === 'UsageError' ? exitCodes.usageError : exitCodes.failed }
}

/** Flags of earlier versions, and what to do instead. */
const removedFlags: Readonly<Record<string, string>> = {
  '--lane': 'Pass `lane` to `listen()`.',
  '--stock': 'Pass `stock` to `listen()`.',
}

function describeCommanderError({ message }: CommanderError, command: string): string {
  const [, flag = ''] = /^error: unknown option '([^'=]+)/.exec(message) ?? []
  if (Object.hasOwn(removedFlags, flag)) return `"${flag}" was removed. ${removedFlags[flag]}`
  const [reason = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1).replace(/\.$/, '')
  const hint = hints.join(' ').replace(/^\((.*)\)$/, ' $1')
  const help = ['understudy', command, '--help'].filter((word) => word !== '').join(' ')
  return `${sentence.replaceAll("'", '"')}.${hint} Run ${help} for usage.`
}
