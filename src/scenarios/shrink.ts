import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { isUsageError } from '../utils/errors.ts'
import type { Scenario, Step } from './format/scenario.ts'
import { escapeLiterals } from './format/values.ts'
import type { RunResult, StepResult } from './run/result.ts'
import type { RunOptions } from './run/run-scenario.ts'

/**
 * Leaves out the steps that a failure does not need. The first step that fails is the last one of the result. There it has
 * the same status and the same differences, and without any one of the other steps it has not. If a step adds a preset, the
 * faults of the scenario are replaced by those that were applied: a preset selects others if there are fewer requests.
 *
 * @param run such as `simulator.run`
 * @returns null if every step passes
 * @throws UsageError for a scenario that cannot run
 * @example await shrinkScenario(story, (scenario, options) => simulator.run(scenario, options))
 */
export async function shrinkScenario(
  scenario: Scenario,
  run: (scenario: Scenario, options: RunOptions) => Promise<RunResult>,
): Promise<Scenario | null> {
  const applied: Step[][] = scenario.steps.map(() => [])
  let at = 0
  const result = await run(scenario, {
    decide: false,
    wrapSender: (target) => ({
      ...target,
      async send(request, signal) {
        const response = await target.send(request, signal)
        applied[at] = stepsOfFault(await target.latest())
        return response
      },
    }),
    onStep: () => (at += 1),
  })
  const failed = findFailure(result)
  if (!failed) return null
  const index = failed.step - 1
  const failing = scenario.steps.slice(index, failed.step)
  const endWith = (steps: readonly Step[]) => ({ ...scenario, steps: [...steps, ...failing] })
  const failsAlike = async (steps: readonly Step[]): Promise<boolean> => {
    try {
      const failure = findFailure(await run(endWith(steps), { decide: false }))
      return failure?.step === steps.length + 1 && describe(failure) === describe(failed)
    } catch (error) {
      // A step uses a value, a key or a snapshot that no step before it makes anymore.
      if (isUsageError(error)) return false
      throw error
    }
  }
  const earlier = scenario.steps.slice(0, index)
  const isOfFaults = (step: Step) => 'fault' in step || 'remove' in step || 'clear' in step
  const others = [...earlier.map((step) => (isOfFaults(step) ? [] : [step])), []]
  const replaced = others.flatMap((step, position) => [...(applied[position] ?? []), ...step])
  const hasPreset = earlier.some((step) => 'fault' in step && 'preset' in step.fault)
  const steps = hasPreset && (await failsAlike(replaced)) ? replaced : earlier
  return endWith(await findFewest(steps, failsAlike))
}

/** The fault that was applied to a request, as a step before it. */
function stepsOfFault(entry: JournalEntry | undefined): Step[] {
  if (!entry?.fault) return []
  const { phase, effect } = entry.fault
  return [{ fault: escapeLiterals({ when: { times: 1 }, phase, effect }) as FaultRequest }]
}

function findFailure({ steps }: RunResult): StepResult | undefined {
  return steps.find(({ outcome }) => outcome === 'failed')
}

/** What two failures have in common that are alike. The times of a running clock differ in each run. */
function describe({ response, differences }: StepResult): string {
  const text = JSON.stringify([response?.status, differences])
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'TIME')
}

/**
 * Finds a part of a list that still has a property, by delta debugging (Zeller, Hildebrandt: Simplifying and Isolating
 * Failure-Inducing Input, 2002): large parts are left out first, then smaller ones, then single items until each is needed.
 */
async function findFewest<T>(
  items: readonly T[],
  hasProperty: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let rest = items
  for (let size = rest.length; size > 0; size = Math.min(size, rest.length)) {
    const { length } = rest
    for (let at = 0; at < rest.length; ) {
      const fewer = [...rest.slice(0, at), ...rest.slice(at + size)]
      if (await hasProperty(fewer)) rest = fewer
      else at += size
    }
    // A single item may only have been needed for another one that was left out later.
    if (size > 1) size = Math.ceil(size / 2)
    else if (rest.length === length) break
  }
  return rest
}
