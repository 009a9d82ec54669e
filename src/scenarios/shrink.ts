import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isUsageError } from '../utils/errors.ts'
import { findKeyIssues, parseScenario, runError } from './format/check-scenario.ts'
import type { Scenario, Step } from './format/scenario.ts'
import { escapeLiterals } from './format/values.ts'
import { resolveSetup } from './run/options.ts'
import { type PlayedStep, play } from './run/play.ts'
import { openRun } from './run/run-scenario.ts'
import { createLocalSender } from './run/simulator-sender.ts'

/**
 * Leaves out the steps that a failure does not need. The first step that fails is the last one of the result. There it has
 * the same status and the same differences, and without any one of the other steps it has not. If a step adds a preset, the
 * faults of the scenario are replaced by those that were applied: a preset selects others if there are fewer requests.
 *
 * @param simulator provides what the scenario leaves out, and does not change
 * @returns null if every step passes
 * @throws UsageError for a scenario that cannot run
 * @example await shrinkScenario(story, createSimulator())
 */
export async function shrinkScenario(
  scenario: Scenario,
  simulator: Simulator,
): Promise<Scenario | null> {
  const applied: Step[][] = []
  const failed = await findFailure(scenario, simulator, ({ index, record }) => {
    applied[index] = stepsOfFault(record)
  })
  if (!failed) return null
  const { index, step } = failed
  const endWith = (steps: readonly Step[]) => ({ ...scenario, steps: [...steps, step] })
  const failsAlike = async (steps: readonly Step[]): Promise<boolean> => {
    try {
      const failure = await findFailure(endWith(steps), simulator)
      return failure?.index === steps.length && describe(failure) === describe(failed)
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
function stepsOfFault(record: JournalRecord | null): Step[] {
  if (!record?.fault) return []
  const { phase, effect } = record.fault
  return [{ fault: escapeLiterals({ when: { times: 1 }, phase, effect }) as FaultRequest }]
}

/** Plays a scenario up to the first step that fails. Null if none does */
async function findFailure(
  source: Scenario,
  simulator: Simulator,
  onStep?: (played: PlayedStep) => void,
): Promise<PlayedStep | null> {
  const scenario = parseScenario(source)
  const sender = await createLocalSender(openRun(resolveSetup(scenario), simulator))
  const issues = findKeyIssues(scenario.steps, sender.labels())
  if (issues.length > 0) throw runError(issues)
  for await (const played of play(scenario, sender)) {
    onStep?.(played)
    if (played.result.outcome === 'failed') return played
  }
  return null
}

/** What two failures have in common that are alike. The times of a running clock differ in each run. */
function describe({ result: { response, differences } }: PlayedStep): string {
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
