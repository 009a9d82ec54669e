import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import type { ParsedScenario } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { CandidateCheck } from '../scenarios/shrink/candidates.ts'
import { createReplayCheck } from '../scenarios/shrink/replay-check.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError } from '../utils/usage-error.ts'

/** A check that fails for the scenario it is for. */
export interface ShrinkCheck {
  readonly check: CandidateCheck
  /** Takes away what it wrote. */
  dispose(): Promise<void>
}

/**
 * The check that a scenario is made small by.
 *
 * @param command of the shell; without one, whether a replay still differs
 * @throws UsageError where it does not fail for the whole scenario
 */
export async function createShrinkCheck(
  scenario: ParsedScenario,
  command: string | undefined,
  signal: AbortSignal,
): Promise<ShrinkCheck> {
  if (command === undefined) {
    const check = await createReplayCheck(scenario, async (candidate, options) => {
      // So that a signal is heard in between.
      await setImmediate()
      return createSimulator().replay(candidate, options)
    })
    return { check, dispose: async () => {} }
  }
  const trial = await createShellCheck(command, signal)
  try {
    if (!(await trial.fails(scenario))) throw passingCheckError(command)
  } catch (error) {
    await trial.dispose()
    throw error
  }
  return { check: ({ scenario: smaller }) => trial.fails(smaller), dispose: () => trial.dispose() }
}

function passingCheckError(command: string): UsageError {
  return new UsageError(
    `Failed to shrink: expected a check that fails for the whole scenario, got one that passes: ${command}. ` +
      'It has to end with another code than 0 while what is wrong is still there.',
  )
}

/** A check by a command of the shell. */
export interface ShellCheck {
  /** Whether the command fails for a scenario. @throws UsageError for a command that cannot be run */
  fails(scenario: Scenario): Promise<boolean>
  /** Takes away what it wrote. */
  dispose(): Promise<void>
}

/**
 * Runs a command for each scenario, which finds it as a file: at `{}` in its text, and in UNDERSTUDY_SCENARIO.
 *
 * @param signal ends a command that runs
 */
async function createShellCheck(command: string, signal: AbortSignal): Promise<ShellCheck> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-shrink-'))
  const file = join(folder, 'scenario.json')
  const line = command.replaceAll('{}', quote(file))
  return {
    async fails(scenario) {
      await writeFile(file, JSON.stringify(scenario, null, 2))
      const code = await runShell(line, file, signal)
      if (code !== 126 && code !== 127) return code !== 0 && !signal.aborted
      throw new UsageError(
        `Failed to run the check: expected a command that can be run, got ${JSON.stringify(command)} (${code}). ` +
          'Check its name and the PATH.',
      )
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A command that a signal ended failed, too. */
function runShell(line: string, file: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, UNDERSTUDY_SCENARIO: file }
    const child = spawn(line, { shell: true, stdio: 'ignore', env, signal })
    child.once('error', (error) => (signal.aborted ? resolve(0) : reject(error)))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

function quote(file: string): string {
  return process.platform === 'win32' ? `"${file}"` : `'${file.replaceAll("'", "'\\''")}'`
}
