import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import type { CommandContext } from './command-context.ts'

/** A command and its arguments. They are not parsed by a shell. */
export type CommandLine = readonly [command: string, ...args: string[]]

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command with the input and output of this process, forwards signals to it, and waits for its end.
 *
 * @returns its exit code; 128 plus the number of the signal that ended it; 127 for a command that does not exist; 126
 *   for one that cannot be executed
 */
export async function runChild(
  [command, ...args]: CommandLine,
  env: NodeJS.ProcessEnv,
  context: CommandContext,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to the child as well. A second signal would interrupt its cleanup.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of forwardedSignals) process.on(signal, forward)
  try {
    return await waitForExit(child)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    context.printError(spawnErrorMessage(command, code))
    return code === 'EACCES' ? 126 : 127
  } finally {
    for (const signal of forwardedSignals) process.off(signal, forward)
  }
}

function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      // While the child runs, an error means that a signal could not be sent.
      if (child.pid === undefined) reject(error)
    })
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
    })
  })
}

function spawnErrorMessage(command: string, code = ''): string {
  if (code === 'EACCES') return `Cannot run ${command}: permission denied.`
  if (code !== 'ENOENT') return `Cannot run ${command} (${code}).`
  const hint = process.platform === 'win32' ? ' Run scripts such as npm with cmd /c npm.' : ''
  return `Command not found: ${command}.${hint}`
}
