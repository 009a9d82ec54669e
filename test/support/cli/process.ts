import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { bin, root } from '../root.ts'
import { type CommandResult, cleanEnvironment, expectNoStack } from './output.ts'

if (!existsSync(bin)) {
  execFileSync(process.execPath, [`${root}.tools/build.mjs`], { stdio: 'ignore' })
}

type Variables = Readonly<Record<string, string>>

/** Starts the bin, or another file, in a process that ends with the test if not before. */
export function startProcess(
  args: readonly string[],
  variables: Variables = {},
  file: string = bin,
): ChildProcess {
  const env = { ...cleanEnvironment(), ...variables }
  return captureOutput(spawn(process.execPath, [file, ...args], { env, stdio: 'pipe' }))
}

/** Runs the bin in a process until it exits. */
export function runProcess(
  args: readonly string[],
  variables: Variables = {},
): Promise<CommandResult> {
  return waitForExit(startProcess(args, variables))
}

const outputs = new WeakMap<ChildProcess, { stdout: string; stderr: string }>()

/** Collects the output of a process, and kills the process when the test ends. */
export function captureOutput(child: ChildProcess): ChildProcess {
  const output = { stdout: '', stderr: '' }
  outputs.set(child, output)
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The output of a process so far. */
export function outputOf(child: ChildProcess): { stdout: string; stderr: string } {
  return outputs.get(child) ?? { stdout: '', stderr: '' }
}

/** Waits until a process exits. */
export async function waitForExit(child: ChildProcess): Promise<CommandResult> {
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const result = { code, ...outputOf(child) }
  expectNoStack(result)
  return result
}

/** A process that runs until a signal ends it. */
export function runningProcess(child: ChildProcess) {
  const end = waitForExit(child)
  const stop = (signal: NodeJS.Signals): Promise<CommandResult> => {
    child.kill(signal)
    return end
  }
  return { printed: () => outputOf(child), end, stop }
}
