import { setImmediate } from 'node:timers/promises'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Check } from '../../shrink/candidates.ts'
import { stillDiffers } from '../../shrink/still-differs.ts'
import { createSimulator } from '../../simulator.ts'
import { UsageError } from '../../usage-error.ts'
import { byCommand } from './by-command.ts'

/** A check that fails for the scenario it is for. */
export interface Trial {
  readonly check: Check
  /** Takes away what it wrote. */
  end(): Promise<void>
}

/**
 * The check that a scenario is made small by.
 *
 * @param command of the shell; without one, whether a replay still differs
 * @throws UsageError where it does not fail for the whole scenario
 */
export async function checkOf(
  scenario: Scenario,
  command: string | undefined,
  signal: AbortSignal,
): Promise<Trial> {
  if (command === undefined) {
    const check = await stillDiffers(scenario, async (candidate, options) => {
      // So that a signal is heard in between.
      await setImmediate()
      return createSimulator().replay(candidate, options)
    })
    return { check, end: async () => {} }
  }
  const trial = await byCommand(command, signal)
  try {
    if (!(await trial.fails(scenario))) throw passes(command)
  } catch (error) {
    await trial.end()
    throw error
  }
  return { check: ({ scenario: smaller }) => trial.fails(smaller), end: () => trial.end() }
}

function passes(command: string): UsageError {
  return new UsageError(
    `Failed to shrink: expected a check that fails for the whole scenario, got one that passes: ${command}. ` +
      'It has to end with another code than 0 while what is wrong is still there.',
  )
}
