import type { RequestStep, Scenario } from '../scenarios/format/scenario.ts'
import {
  type DecidingSetting,
  failsAnyway,
  passesInSearch,
  type StepResult,
} from '../scenarios/run/result.ts'
import type { Decision, ExplainStep } from '../scenarios/run/run-scenario.ts'
import { profiles, resolveSettings, toOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  type OtherValue,
  otherValues,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import { Run } from './compare/run.ts'
import { type Played, Script } from './compare/script.ts'
import { isNumeric } from './compare/search.ts'
import type { ComparedSimulator } from './compare/simulator.ts'
import { numbersFor, shownNumbers } from './shown-numbers.ts'

/** What the steps of a service are explained with. */
export const explainNothing: ExplainStep = async () =>
  undecided('a service does not show its settings; understudy-api compare finds them')

/**
 * Creates a function that finds the settings that decide why a step of a replay fails. It compares one response as
 * `understudy-api compare` compares all of them.
 *
 * @param simulate creates a simulator that is as that of the replay was before the first step
 */
export function createStepExplainer(
  scenario: Scenario,
  simulate: () => ComparedSimulator,
): ExplainStep {
  let search: StepSearch | null = null
  return (index, earlier) => {
    search ??= new StepSearch(scenario, simulate())
    return search.explain(index, earlier)
  }
}

/** Plays the steps with other settings. */
class StepSearch {
  readonly #script: Script
  readonly #run: Run
  /** Runs with another value from the start, by their names. */
  readonly #others = new Map<string, Run>()

  constructor(scenario: Scenario, simulator: ComparedSimulator) {
    this.#script = new Script(scenario, { openWorld: () => simulator })
    this.#run = Run.start(this.#script, {})
  }

  /**
   * Tries the other values of the settings that a response used, then those that decided an earlier step from the start,
   * then those of the other profile together.
   */
  async explain(index: number, earlier: readonly StepResult[]): Promise<Decision> {
    const at = this.#script.steps.findIndex((step) => step.index === index)
    const played = await this.#run.at(at)
    if (played.outcome === 'passed') return undecided(passesInSearch)
    const isPassed = async (run: Run): Promise<boolean> => (await run.at(at)).outcome === 'passed'
    const passes: Trial = (values) => isPassed(this.#run.peek(toOverrides(values)))
    const { settings } = played
    const alone: OtherValue[] = []
    for (const each of candidatesFor(played, this.#script.step(at))) {
      if (await passes([each])) alone.push(each)
    }
    if (alone.length === 0) {
      for (const each of decisionsOf(earlier)) {
        if (await isPassed(this.#startWith(each))) alone.push(each)
      }
    }
    const together = alone.length > 0 ? [] : await findInProfiles(settings, passes)
    const decided_by = [
      ...alone.filter(isFirstNumber).map((each) => describe(each, settings, true)),
      ...together.map((each) => describe(each, settings, false)),
    ]
    return decided_by.length > 0 ? { decided_by } : undecided(failsAnyway)
  }

  #startWith({ id, value }: OtherValue): Run {
    const name = `${id}=${value}`
    const run = this.#others.get(name) ?? this.#run.with({ [id]: value })
    this.#others.set(name, run)
    return run
  }
}

/** Whether a step passes with other settings. */
type Trial = (values: readonly OtherValue[]) => Promise<boolean>

/** @param undecided why no setting is known, as a clause */
function undecided(undecided: string): Decision {
  return { decided_by: [], undecided }
}

/** The other values of the settings used. Of whole numbers those that the step shows, the smallest and the largest one. */
function candidatesFor({ used, settings }: Played, step: RequestStep): OtherValue[] {
  const ids = settingIds.filter((id) => used.has(id))
  const shown = shownNumbers(step)
  const numbers = ids.filter(isNumeric).map((id) => {
    const { minimum = 1, maximum = minimum } = settingsById[id].values.integer ?? {}
    return [id, [...new Set([...numbersFor(id, shown), minimum, maximum])]]
  })
  return otherValues(ids, settings, Object.fromEntries(numbers))
}

/** The values with which earlier steps pass, each once. */
function decisionsOf(earlier: readonly StepResult[]): OtherValue[] {
  const all = earlier.flatMap(({ decided_by }) => decided_by)
  const values = all.map((each) => ({ id: each.id as SettingId, value: each.would_be }))
  return [...new Map(values.map((each) => [`${each.id}=${each.value}`, each])).values()]
}

/** The smallest set of settings of another profile with which the step passes: all of them are needed. */
async function findInProfiles(
  settings: SettingValues,
  passes: Trial,
): Promise<readonly OtherValue[]> {
  for (const profile of profiles) {
    const others = resolveSettings(profile)
    const changed = settingIds.filter((id) => others[id] !== settings[id])
    let needed = changed.map((id): OtherValue => ({ id, value: others[id] }))
    if (needed.length === 0 || !(await passes(needed))) continue
    for (const value of needed) {
      const fewer = needed.filter((each) => each !== value)
      if (await passes(fewer)) needed = fewer
    }
    return needed
  }
  return []
}

/** Of the numbers of a setting with which a step passes, one is enough. */
function isFirstNumber({ id }: OtherValue, at: number, all: readonly OtherValue[]): boolean {
  return !isNumeric(id) || all.findIndex((each) => each.id === id) === at
}

function describe(
  { id, value: would_be }: OtherValue,
  { [id]: value }: SettingValues,
  alone: boolean,
): DecidingSetting {
  const { evidence, source } = describeValue(id, value)
  return { id, value, would_be, alone, evidence, source }
}
