import type { ApiResponse } from '../http/messages.ts'
import { isRequestStep, type RequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { type PlayedStep, play } from '../scenarios/run/play.ts'
import type { DecidingSetting, StepResult, Undecided } from '../scenarios/run/result.ts'
import { type ExplainStep, explanationOf } from '../scenarios/run/run-scenario.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import { profiles } from '../settings/profiles.ts'
import { resolveSettings, type SettingOverrides, toOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  type OtherNumbers,
  type OtherValue,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { differencesOf } from './expected-answer.ts'
import { otherAnswers, PastRequest } from './past-request.ts'
import { isNumeric, numbersFor, shownNumbers } from './shown-numbers.ts'

/** What is known about the steps of a service. */
export const explainNothing: ExplainStep = async (_step, _earlier, decide) => ({
  ...explanationOf(null),
  ...(decide && undecided('foreign')),
})

/** Finds the settings that decide why a step fails. @param earlier the results of the steps before it */
type DecideStep = (index: number, earlier: readonly StepResult[]) => Promise<Decision>

type Decision = Pick<StepResult, 'decided_by' | 'undecided'>

/**
 * Finds the settings that decide why a step of a run fails: it sends the steps again to a fork, and answers the
 * failing request again with each other value of the settings that it used.
 */
export function createStepExplainer(
  scenario: Scenario,
  fork: (settings: SettingOverrides) => Simulator,
): DecideStep {
  return async (index, earlier) => {
    const step = scenario.steps[index] as RequestStep
    const simulator = fork({})
    const last = await playTo(scenario, index, simulator)
    if (last?.result.outcome === 'passed') return undecided('passes_in_search')
    const { record = null, saved = new Map() } = last ?? {}
    // A fault answered in place of the service.
    if (!record || record.fault) return undecided('fails_anyway')
    const { settings } = record
    const past = PastRequest.open(record, simulator.state)
    const isAsExpected = (answer: ApiResponse): boolean =>
      differencesOf(step, answer, saved).length === 0
    const passes = (values: readonly OtherValue[]): boolean =>
      past !== null && isAsExpected(past.answer(toOverrides(values)))
    const alone = [...otherAnswers(record, simulator.state, numbersOf(record, step))]
      .filter(({ answer }) => isAsExpected(answer))
      .map(({ id, value }): OtherValue => ({ id, value }))
    if (alone.length === 0) {
      for (const value of decisionsOf(earlier)) {
        const replayed = await playTo(scenario, index, fork(toOverrides([value])))
        if (replayed?.result.outcome === 'passed') alone.push(value)
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

/** Plays the steps up to one. Reads before it are left out, unless a fault can count them. @returns the last step */
async function playTo(
  { steps }: Scenario,
  index: number,
  simulator: Simulator,
): Promise<PlayedStep | undefined> {
  const first = steps.findIndex((step) => 'fault' in step)
  const counted = simulator.faults.list().length > 0 ? -1 : first < 0 ? index : first
  const needed = steps.slice(0, index + 1).filter((step, at) => {
    const isRead = isRequestStep(step) && step.method === 'GET' && !step.save
    return !isRead || at === index || at > counted
  })
  let last: PlayedStep | undefined
  for await (const played of play({ steps: needed }, await createLocalSender(simulator)))
    last = played
  return last
}

function undecided(why: Undecided['why']): Decision {
  return { decided_by: [], undecided: { why } }
}

/** The whole numbers to try: those that the step shows, the smallest and the largest one. */
function numbersOf(record: JournalRecord, step: RequestStep): OtherNumbers {
  const shown = shownNumbers(step)
  const numbers = record.settingReads.ids.filter(isNumeric).map((id) => {
    const { minimum = 1, maximum = minimum } = settingsById[id].values.integer ?? {}
    return [id, [...new Set([...numbersFor(id, shown), minimum, maximum])]]
  })
  return Object.fromEntries(numbers)
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
