import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import type { CommandContext } from './command-context.ts'

/** A command and its arguments, as given: no shell reads them. */
export type CommandLine = readonly [command: string, ...args: string[]]

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command with our own input and output, hands on the signals we get, and waits for its end.
 *
 * @returns its exit code, or 128 and the number of the signal that ended it, as a shell tells it; 127 for a
 *   command that is not there, 126 for one that cannot be run
 */
export async function runChild(
  [command, ...args]: CommandLine,
  env: NodeJS.ProcessEnv,
  context: CommandContext,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const handOn = (signal: NodeJS.Signals): void => {
    // Ctrl-C reaches every process of a terminal: a second one would hurry a child that is cleaning up.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of forwarded) process.on(signal, handOn)
  try {
    return await waitForExit(child)
  } catch (error) {
    return reportSpawnError(command, error as NodeJS.ErrnoException, context)
  } finally {
    for (const signal of forwarded) process.off(signal, handOn)
  }
}

function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      // Once it runs, the only error is a signal that did not reach it.
      if (child.pid === undefined) reject(error)
    })
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
    })
  })
}

function reportSpawnError(
  command: string,
  { code }: NodeJS.ErrnoException,
  context: CommandContext,
): number {
  const hint = process.platform === 'win32' ? ' Scripts such as npm are run by cmd /c npm.' : ''
  context.printError(
    `Failed to run ${command}: expected a program that can be started, got ${code}. ` +
      `Check its name and the PATH.${hint}`,
  )
  return code === 'EACCES' ? 126 : 127
}
