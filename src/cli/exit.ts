import { CommanderError } from 'commander'
import { UnreachableError } from '../scenarios/unreachable.ts'

/** What the command line ends with. */
export const exitCodes = { ok: 0, failed: 1, badUse: 2, portTaken: 3, unreachable: 4 } as const

interface Failed extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly port?: number
  readonly address?: string
  readonly hostname?: string
}

/** Tells on stderr why a command failed, never with a stack, and gives the exit code for it. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return exitCodeOfCommander(error)
  const { name, code, message, syscall, port, address, hostname = address } = error as Failed
  if (code === 'EADDRINUSE') {
    console.error(
      `Failed to listen on port ${port}: expected a free port, got one that is taken. ` +
        'Choose another with --port, or any free one with --port 0.',
    )
    return exitCodes.portTaken
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    console.error(
      `Failed to listen on ${hostname}: expected an address of this machine and a port that may be ` +
        `used, got ${code}. Choose others with --host and --port.`,
    )
    return exitCodes.badUse
  }
  console.error(message)
  // By name: the error may come from another copy of our code, since the bin is a bundle.
  if (error instanceof UnreachableError) return exitCodes.unreachable
  return name === 'UsageError' ? exitCodes.badUse : exitCodes.failed
}

/** Help and version end this way too, with 0. */
function exitCodeOfCommander({ exitCode, message }: CommanderError): number {
  if (exitCode === 0) return exitCodes.ok
  const [reason = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const hint = hints.join(' ').replace(/^\((.*)\)$/, ' $1')
  console.error(
    `Failed to read the command line: ${reason.replace(/\.$/, '')}.${hint} understudy --help lists what it takes.`,
  )
  return exitCodes.badUse
}
