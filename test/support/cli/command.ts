import { Readable } from 'node:stream'
import { onTestFinished, vi } from 'vitest'
import { main } from '../../../src/cli/program.ts'
import { type CommandResult, expectNoStack, isDeciding, TextOutput } from './output.ts'

export { root } from '../root.ts'

export type Variables = Readonly<Record<string, string>>

/** A command that runs in this process until the test ends. */
export interface RunningCommand {
  /** The output so far. */
  printed(): { stdout: string; stderr: string }
  readonly end: Promise<CommandResult>
  /** Interrupts the command as a signal does, and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<CommandResult>
  /** Takes back the environment variables, which a command reads when it starts. */
  restoreEnvironment(): void
}

/** Runs a command in this process until it ends. */
export function run(args: readonly string[], variables: Variables = {}): Promise<CommandResult> {
  return startCommand(args, variables).end
}

/** Starts a command in this process. */
export function startCommand(
  args: readonly string[],
  variables: Variables = {},
  // Rare enough that a slow machine changes no output.
  {
    stdout = new TextOutput(),
    stderr = new TextOutput(),
    progressInterval = 600_000,
    stdin = '',
  } = {},
): RunningCommand {
  const controller = new AbortController()
  const restoreEnvironment = stubEnvironment(variables)
  const printed = () => ({ stdout: stdout.text, stderr: stderr.text })
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr, progressInterval }
  const end = main(args, { ...streams, signal: controller.signal })
    .finally(restoreEnvironment)
    .then((code) => {
      const result = { code, ...printed() }
      expectNoStack(result)
      return result
    })
  const stop = (signal: NodeJS.Signals): Promise<CommandResult> => {
    controller.abort(signal)
    return end
  }
  stopWithTest(stop, end)
  return { printed, end, stop, restoreEnvironment }
}

/** Apart from the command, so that a test with thousands of commands does not hold the output of those that ended. */
function stopWithTest(stop: RunningCommand['stop'], end: Promise<unknown>): void {
  const running = new Set([stop])
  end.finally(() => running.clear()).catch(() => {})
  onTestFinished(async () => {
    for (const stop of running) await stop('SIGINT')
  })
}

/** Replaces the environment variables that decide what a command does. Returns a function that takes them back. */
function stubEnvironment(variables: Variables): () => void {
  for (const name of Object.keys(process.env)) if (isDeciding(name)) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  let isStubbed = true
  return () => {
    if (isStubbed) vi.unstubAllEnvs()
    isStubbed = false
  }
}
