import type { ApiResponse } from '../http/messages.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import {
  isRequestStep,
  type RequestStep,
  type ScenarioSource,
} from '../scenarios/format/scenario.ts'
import { resolveSetup, runOptions, type SimulatorRunOptions } from '../scenarios/run/options.ts'
import { type PlayedStep, withSaved } from '../scenarios/run/play.ts'
import type { DecidingSetting, RunResult, StepResult, Undecided } from '../scenarios/run/result.ts'
import { explanationOf, type Opened, openRun, runScenario } from '../scenarios/run/run-scenario.ts'
import type { Sender } from '../scenarios/run/sender.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import { profiles } from '../settings/profiles.ts'
import { resolveSettings, toOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  type OtherNumbers,
  type OtherValue,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { State } from '../simulator/state.ts'
import { UsageError } from '../utils/errors.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { differencesOf, isNumeric, shownNumbers } from './expected-answer.ts'
import { otherAnswers, PastRequest } from './past-request.ts'

const simulatorRunSchema = optionsSchema<SimulatorRunOptions>({
  ...runOptions,
  in_place: option.flag,
})

/** Runs a scenario in copies of a simulator, or in itself with `in_place`. @throws UsageError with up to 100 issues */
export async function runInSimulator(
  source: ScenarioSource,
  allOptions: SimulatorRunOptions,
  simulator: Simulator,
): Promise<RunResult> {
  checkOptions(simulatorRunSchema, allOptions, 'run the scenario')
  const { in_place = false, ...options } = allOptions
  const scenario = parseScenario(source)
  if (in_place) {
    const field = (['world', 'profile', 'settings'] as const).find((name) => name in options)
    if (field) throw new UsageError(`in_place excludes ${field}. Set it in the simulator.`)
    return runScenario(
      scenario,
      async () => ({
        sender: withoutFaults(await createLocalSender(simulator)),
        explain: async ({ record }) =>
          explanationOf(record && simulator.journal.entryOf(record, false)),
      }),
      options,
    )
  }
  const setup = resolveSetup(scenario, options)
  return runScenario(
    scenario,
    async () => {
      const copy = openRun(setup, simulator)
      return {
        sender: await createLocalSender(copy),
        explain: async (played, follows) => ({
          ...explanationOf(played.record && copy.journal.entryOf(played.record, false)),
          ...decideStep(played, follows, copy.state),
        }),
      }
    },
    options,
  )
}

/** A sender with faults of its own: those of the scenario are neither added nor removed. */
function withoutFaults(sender: Sender): Sender {
  return {
    ...sender,
    async change(change) {
      const isFault =
        'fault' in change ||
        ('remove' in change && change.remove.startsWith('fault')) ||
        'clear' in change
      return isFault ? {} : sender.change(change)
    },
  }
}

/** What is known about the steps of a service. */
export const explainNothing: Opened['explain'] = async () => ({
  ...explanationOf(null),
  ...undecided('foreign'),
})

type Decision = Pick<StepResult, 'decided_by' | 'undecided'>

/**
 * Finds the settings that decide why a step fails: its request is answered again with each other value of the settings that
 * it used, in the rows as they were then.
 *
 * @param follows whether an earlier write or change failed
 */
function decideStep({ step, record, saved }: PlayedStep, follows: boolean, state: State): Decision {
  const none = undecided(follows ? 'may_follow' : 'fails_anyway')
  // A fault answered in place of the service.
  if (!record || record.fault || !isRequestStep(step)) return none
  const { settings } = record
  const past = PastRequest.open(record, state)
  const filled = withSaved(step, saved)
  const options = { most: 1, names: new WeakMap() }
  const isAsExpected = (answer: ApiResponse) => differencesOf(filled, answer, options).length === 0
  const passes = (values: readonly OtherValue[]) =>
    past !== null && isAsExpected(past.answer(toOverrides(values)))
  const alone = [...otherAnswers(record, state, numbersOf(record, step))]
    .filter(({ answer }) => isAsExpected(answer))
    .map(({ id, value }): OtherValue => ({ id, value }))
  const together = alone.length > 0 ? [] : findInProfiles(settings, passes)
  const decided_by = [
    ...alone.filter(isFirstNumber).map((value) => describe(value, settings, true)),
    ...together.map((value) => describe(value, settings, false)),
  ]
  return decided_by.length > 0 ? { decided_by } : none
}

function undecided(why: Undecided['why']): Decision {
  return { decided_by: [], undecided: { why } }
}

/** The whole numbers to try: those that the step shows, the smallest and the largest one. */
function numbersOf(record: JournalRecord, step: RequestStep): OtherNumbers {
  const numbers = record.settingReads.ids.filter(isNumeric).map((id) => {
    const { minimum = 1, maximum = minimum } = settingsById[id].values.integer ?? {}
    return [id, [...new Set([...shownNumbers(id, step), minimum, maximum])]]
  })
  return Object.fromEntries(numbers)
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
function isFirstNumber({ id }: OtherValue, at: number, all: readonly OtherValue[]) {
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
