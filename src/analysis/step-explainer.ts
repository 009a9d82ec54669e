import type { RequestStep, Scenario } from '../scenarios/format/scenario.ts'
import { type DecidingSetting, failsAnyway } from '../scenarios/run/result.ts'
import type { ExplainStep } from '../scenarios/run/run-scenario.ts'
import { type Explanation, runSteps } from '../scenarios/run/run-steps.ts'
import type { Target } from '../scenarios/run/target.ts'
import type { SettingId } from '../settings/setting.ts'
import { numbersToTry, numericSettings, shownByStep, withBounds } from './numbers-to-try.ts'
import { maxRequests, SettingSearch, type Settings, type Trial } from './setting-search.ts'

/**
 * Creates a function that finds the settings that decide why a step of a replay fails.
 *
 * @param open opens the target of the replay anew
 * @param explainOther for a target that does not show its settings
 */
export function createStepExplainer(
  scenario: Scenario,
  open: () => Promise<Target>,
  explainOther?: ExplainStep,
): ExplainStep {
  const search = new SettingSearch()
  return async (index, executed, target, consulted, earlier) => {
    if (consulted.length === 0 && explainOther) {
      return explainOther(index, executed, target, consulted, earlier)
    }
    if (consulted.length === 0) return unknown('the target does not show its settings')
    const settings = await target.settings()
    const run: Trial['run'] = async (changes, from) => {
      const passes = await passesWith(scenario, index, open, changes, from === 'start' ? 0 : index)
      return { outcome: passes ? 'same' : 'different' }
    }
    const shown = shownByStep(scenario.steps[index] as RequestStep)
    const numbers = withBounds(numbersToTry(shown, settings))
    const trial = { cost: index + 1, consulted, settings, numbers, run }
    const found = await search.find(trial)
    if (found === null) return unknown(tooLong, consulted)
    const decided = found.filter(isFirstNumber)
    const undecided = decided.length === 0 && { undecided: failsAnyway }
    return { settings: consulted, decided_by: decided, ...undecided }
  }
}

/** Of the numbers of a setting with which a step passes, one is enough. */
function isFirstNumber(
  { id }: DecidingSetting,
  at: number,
  all: readonly DecidingSetting[],
): boolean {
  return (
    !numericSettings.includes(id as SettingId) || all.findIndex((each) => each.id === id) === at
  )
}

export const tooLong = `the search would send more than ${maxRequests} requests`

/** @param undecided why no setting is known, as a clause */
export function unknown(undecided: string, consulted: readonly string[] = []): Explanation {
  return { settings: consulted, decided_by: [], undecided }
}

/** Whether a step passes in a fresh target if some settings are set. @param from the step before which they are set */
async function passesWith(
  scenario: Scenario,
  index: number,
  open: () => Promise<Target>,
  changes: Settings,
  from: number,
): Promise<boolean> {
  const target = await open()
  try {
    const range = { first: index, last: index }
    const { steps } = await runSteps(scenario, target, range, {
      before: (at) => at === from && target.change({ settings: changes }),
    })
    return steps.at(-1)?.outcome === 'passed'
  } finally {
    await target.close()
  }
}
