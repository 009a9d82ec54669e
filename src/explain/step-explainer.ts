import { isRequestStep, type RequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import type { DecidingSetting, StepResult, Undecided } from '../scenarios/run/result.ts'
import type { Decision, ExplainStep } from '../scenarios/run/run-scenario.ts'
import { runStep } from '../scenarios/run/run-steps.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import { profiles } from '../settings/profiles.ts'
import { resolveSettings, type SettingOverrides, toOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  type OtherValue,
  otherValues,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import { usedSettings } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { answerAgain } from './answer-again.ts'
import { isNumeric, numbersFor, shownNumbers } from './shown-numbers.ts'

/** What the steps of a service are explained with. */
export const explainNothing: ExplainStep = async () => undecided('foreign')

/**
 * Finds the settings that decide why a step of a run fails: it sends the steps again to a fork, and answers the
 * failing request again with each other value of the settings that it used.
 */
export function createStepExplainer(
  scenario: Scenario,
  fork: (settings: SettingOverrides) => Simulator,
): ExplainStep {
  return async (index, earlier) => {
    const step = scenario.steps[index] as RequestStep
    const { simulator, saved, outcome } = await runTo(scenario, index, fork({}))
    if (outcome === 'passed') return undecided('passes_in_search')
    const { state } = simulator
    const record = state.journal.records.at(-1)
    // A fault answered in place of the service.
    if (!record || record.fault) return undecided('fails_anyway')
    const again = answerAgain(step, record, state, saved)
    const passes = (values: readonly OtherValue[]): boolean =>
      again(toOverrides(values))?.length === 0
    const { settings } = record
    const alone = candidatesFor(usedSettings(record), settings, step).filter((value) =>
      passes([value]),
    )
    if (alone.length === 0) {
      for (const value of decisionsOf(earlier)) {
        const replayed = await runTo(scenario, index, fork(toOverrides([value])))
        if (replayed.outcome === 'passed') alone.push(value)
      }
    }
    const together = alone.length > 0 ? [] : findInProfiles(settings, passes)
    const decided_by = [
      ...alone.filter(isFirstNumber).map((value) => describe(value, settings, true)),
      ...together.map((value) => describe(value, settings, false)),
    ]
    return decided_by.length > 0 ? { decided_by } : undecided('fails_anyway')
  }
}

/** Runs the steps up to one. Reads before it are left out, unless a fault can count them. */
async function runTo({ steps }: Scenario, index: number, simulator: Simulator) {
  const sender = await createLocalSender(simulator, simulator.url)
  const saved = new Map<string, unknown>([['base_url', sender.baseUrl]])
  let outcome: StepResult['outcome'] = 'skipped'
  let hasFaults = simulator.faults.list().length > 0
  for (const [at, step] of steps.slice(0, index + 1).entries()) {
    hasFaults ||= 'fault' in step
    const isRead = isRequestStep(step) && step.method === 'GET' && !step.save
    if (isRead && at < index && !hasFaults) continue
    ;({ outcome } = await runStep(step, at, sender, saved))
  }
  return { simulator, saved, outcome }
}

function undecided(why: Undecided['why']): Decision {
  return { decided_by: [], undecided: { why } }
}

/** The other values of the settings used. Of whole numbers those that the step shows, the smallest and the largest one. */
function candidatesFor(
  used: readonly SettingId[],
  settings: SettingValues,
  step: RequestStep,
): OtherValue[] {
  const shown = shownNumbers(step)
  const numbers = used.filter(isNumeric).map((id) => {
    const { minimum = 1, maximum = minimum } = settingsById[id].values.integer ?? {}
    return [id, [...new Set([...numbersFor(id, shown), minimum, maximum])]]
  })
  return otherValues(used, settings, Object.fromEntries(numbers))
}

/** The values with which earlier steps pass, each once. */
function decisionsOf(earlier: readonly StepResult[]): OtherValue[] {
  const values = earlier.flatMap(({ decided_by }) =>
    decided_by.map(({ id, would_be }) => ({ id: id as SettingId, value: would_be })),
  )
  return [...new Map(values.map((value) => [`${value.id}=${value.value}`, value])).values()]
}

/** The smallest set of settings of another profile with which the step passes: all of them are needed. */
function findInProfiles(
  settings: SettingValues,
  passes: (values: readonly OtherValue[]) => boolean,
): readonly OtherValue[] {
  for (const profile of profiles) {
    const others = resolveSettings(profile)
    const changed = settingIds.filter((id) => others[id] !== settings[id])
    let needed = changed.map((id): OtherValue => ({ id, value: others[id] }))
    if (needed.length === 0 || !passes(needed)) continue
    for (const value of needed) {
      const fewer = needed.filter((other) => other !== value)
      if (passes(fewer)) needed = fewer
    }
    return needed
  }
  return []
}

/** Of the numbers of a setting with which a step passes, one is enough. */
function isFirstNumber({ id }: OtherValue, at: number, all: readonly OtherValue[]): boolean {
  return !isNumeric(id) || all.findIndex((value) => value.id === id) === at
}

function describe(
  { id, value: would_be }: OtherValue,
  { [id]: value }: SettingValues,
  alone: boolean,
): DecidingSetting {
  const { evidence, source } = describeValue(id, value)
  return { id, value, would_be, alone, evidence, source }
}
