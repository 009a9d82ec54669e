import type { RequestStep, Scenario } from '../scenarios/format/scenario.ts'
import { type DecidingSetting, failsAnyway } from '../scenarios/run/result.ts'
import type { ExplainStep } from '../scenarios/run/run-scenario.ts'
import { type Explanation, runSteps } from '../scenarios/run/run-steps.ts'
import type { Target } from '../scenarios/run/target.ts'
import { profiles, resolveSettings, toOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  type OtherValue,
  otherValues,
  type SettingId,
  settingsById,
} from '../settings/setting.ts'
import { isNumeric } from './compare/search.ts'
import { numbersFor, shownNumbers } from './shown-numbers.ts'

/** How many requests the trials of a replay may send. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>

/** The step from which a trial has other settings. */
type From = 'start' | 'step'

/** Whether a step passes with other settings. */
type Trial = (values: readonly OtherValue[], from: From) => Promise<boolean>

/**
 * Creates a function that finds the settings that decide why a step of a replay fails, by running it again with other
 * values of the settings that its response used: each alone, then those that decided an earlier step from the start, then
 * those of the other profile together.
 *
 * @param open opens the target of the replay anew
 */
export function createStepExplainer(scenario: Scenario, open: () => Promise<Target>): ExplainStep {
  let requests = 0
  return async (index, _executed, target, consulted, earlier) => {
    if (consulted.length === 0) {
      return unknown('a service does not show its settings; understudy-api compare finds them')
    }
    const settings = await target.settings()
    const known = consulted.filter((id): id is SettingId => Object.hasOwn(settingsById, id))
    const candidates = candidatesFor(known, settings, scenario.steps[index] as RequestStep)
    requests += (candidates.length + Object.keys(settings).length) * (index + 1)
    if (requests > maxRequests) {
      return unknown(`the search would send more than ${maxRequests} requests`, consulted)
    }
    const run: Trial = (values, from) =>
      passesWith(scenario, index, open, toOverrides(values), from === 'start' ? 0 : index)
    const decisions = earlier.flatMap(({ decided_by }) => decided_by)
    const before = decisions.map((each) => ({ id: each.id as SettingId, value: each.would_be }))
    const alone =
      orNull(await thatPass(candidates, 'step', run)) ?? (await thatPass(before, 'start', run))
    const decided =
      alone.length > 0
        ? alone.filter(isFirstNumber).map((each) => describe(each, settings, true))
        : (await findInProfiles(settings, run)).map((each) => describe(each, settings, false))
    const undecided = decided.length === 0 && { undecided: failsAnyway }
    return { settings: consulted, decided_by: decided, ...undecided }
  }
}

/** @param undecided why no setting is known, as a clause */
function unknown(undecided: string, consulted: readonly string[] = []): Explanation {
  return { settings: consulted, decided_by: [], undecided }
}

/** The other values of settings. Of whole numbers those that the step shows, the smallest and the largest one. */
function candidatesFor(
  ids: readonly SettingId[],
  settings: Settings,
  step: RequestStep,
): OtherValue[] {
  const shown = shownNumbers(step)
  const numbers = ids.filter(isNumeric).map((id) => {
    const { minimum = 1, maximum = minimum } = settingsById[id].values.integer ?? {}
    const all = new Set([...numbersFor(id, shown), minimum, maximum])
    return [id, [...all].filter((number) => number !== settings[id])]
  })
  return otherValues(ids, settings, Object.fromEntries(numbers))
}

async function thatPass(
  values: readonly OtherValue[],
  from: From,
  run: Trial,
): Promise<OtherValue[]> {
  const passing = new Map<string, OtherValue>()
  for (const each of values) {
    if (await run([each], from)) passing.set(`${each.id}=${each.value}`, each)
  }
  return [...passing.values()]
}

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list
}

/** The smallest set of settings of another profile with which the step passes: all of them are needed. */
async function findInProfiles(settings: Settings, run: Trial): Promise<readonly OtherValue[]> {
  for (const profile of profiles) {
    const values = Object.entries(resolveSettings(profile)).flatMap(([id, value]) => {
      const isOther = Object.hasOwn(settings, id) && value !== settings[id]
      return isOther ? [{ id: id as SettingId, value }] : []
    })
    if (values.length === 0 || !(await run(values, 'step'))) continue
    let needed: readonly OtherValue[] = values
    for (const value of values) {
      const fewer = needed.filter((each) => each !== value)
      if (await run(fewer, 'step')) needed = fewer
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
  settings: Settings,
  alone: boolean,
): DecidingSetting {
  const value = settings[id] as string | number
  // A value of another version has no evidence.
  const { evidence, source } = describeValue(id, value) ?? { evidence: 'assumed', source: '' }
  return { id, value, would_be, alone, evidence, source }
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
