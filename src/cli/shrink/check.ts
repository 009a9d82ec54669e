import { setImmediate } from 'node:timers/promises'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { CandidateCheck } from '../../shrink/candidates.ts'
import { createReplayCheck } from '../../shrink/still-differs.ts'
import { createSimulator } from '../../simulator.ts'
import { UsageError } from '../../usage-error.ts'
import { createShellCheck } from './by-command.ts'

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
  scenario: Scenario,
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
