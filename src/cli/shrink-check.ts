import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import type { ParsedScenario } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { CandidateCheck } from '../scenarios/shrink/candidates.ts'
import { createReplayCheck } from '../scenarios/shrink/candidates.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError } from '../utils/usage-error.ts'

/** A check that fails for the whole scenario. */
export interface ShrinkCheck {
  readonly run: CandidateCheck
  /** Removes its files. */
  dispose(): Promise<void>
}

/**
 * Creates the check for a scenario.
 *
 * @param command a shell command; without one, the check is a replay
 * @throws UsageError if the check passes for the whole scenario
 */
export async function createShrinkCheck(
  scenario: ParsedScenario,
  command: string | undefined,
  signal: AbortSignal,
): Promise<ShrinkCheck> {
  if (command === undefined) {
    const run = await createReplayCheck(scenario, async (candidate, options) => {
      // Lets the process handle signals between two replays.
      await setImmediate()
      return createSimulator().replay(candidate, options)
    })
    return { run, dispose: async () => {} }
  }
  const check = await createShellCheck(command, signal)
  try {
    if (!(await check.fails(scenario))) throw passingCheckError(command)
  } catch (error) {
    await check.dispose()
    throw error
  }
  return { run: ({ scenario: candidate }) => check.fails(candidate), dispose: check.dispose }
}

function passingCheckError(command: string): UsageError {
  return new UsageError(
    `The check passes for the whole scenario: ${command}. It must exit with a code other than 0 while the problem is present.`,
  )
}

/** A shell command as a check. */
interface ShellCheck {
  /** Whether the command fails for a scenario. @throws UsageError for a command that cannot be run */
  fails(scenario: Scenario): Promise<boolean>
  /** Removes its files. */
  dispose(): Promise<void>
}

/**
 * Creates a check that runs a command for each scenario. The path of the scenario's file replaces `{}` in the command,
 * and is the variable UNDERSTUDY_SCENARIO.
 *
 * @param signal ends a command that runs
 */
async function createShellCheck(command: string, signal: AbortSignal): Promise<ShellCheck> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-shrink-'))
  const file = join(folder, 'scenario.json')
  const commandLine = command.replaceAll('{}', quote(file))
  return {
    async fails(scenario) {
      await writeFile(file, JSON.stringify(scenario, null, 2))
      const code = await runShell(commandLine, file, signal)
      if (code !== 126 && code !== 127) return code !== 0 && !signal.aborted
      throw new UsageError(
        `The check cannot be run (exit code ${code}): ${command}. Check its name and the PATH.`,
      )
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Returns the exit code of a command, or 1 if a signal ended it. */
function runShell(commandLine: string, file: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, UNDERSTUDY_SCENARIO: file }
    const child = spawn(commandLine, { shell: true, stdio: 'ignore', env, signal })
    child.once('error', (error) => (signal.aborted ? resolve(0) : reject(error)))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

function quote(file: string): string {
  return process.platform === 'win32' ? `"${file}"` : `'${file.replaceAll("'", "'\\''")}'`
}
