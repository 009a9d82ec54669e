import { isSideList } from '../api/endpoints.ts'
import { differencesOf, isNumeric, shownNumbers } from '../explain/expected-answer.ts'
import { otherAnswers } from '../explain/past-request.ts'
import { type ParsedScenario, parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type RequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { isOfOneSide } from '../scenarios/run/differences.ts'
import { play, withSaved } from '../scenarios/run/play.ts'
import type { StepDifference } from '../scenarios/run/result.ts'
import { createQuickSender, openQuickSimulator } from '../scenarios/run/simulator-sender.ts'
import type { Profile } from '../settings/profiles.ts'
import { resolveSettings, type SettingOverrides, toProfile } from '../settings/resolve.ts'
import {
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import { isByFault } from '../simulator/journal/written-entry.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type AnswerDifference, type Differences, favours } from './answer-differences.ts'
import {
  type ComparedAnswer,
  fitSettings,
  type ServiceAnswers,
  setByValue,
  type Trial,
  type TriedValue,
} from './fit-settings.ts'

/** The settings with which a simulator answers most like a recorded service. */
export interface FoundSettings {
  readonly profile: Profile
  /** Those that differ from the profile */
  readonly settings: SettingOverrides
  /** How many responses show each of these values */
  readonly responses: Readonly<Record<string, number>>
}

/** So many steps of traffic decide its settings. */
const decidingSteps = 500

/**
 * Finds the nearest profile, and the values that differ from it because a response does.
 *
 * @param scenario its world is the one before the first request. Its own profile and values do not count
 * @throws UsageError for a scenario or a world with issues
 * @example const { profile, settings } = await settingsOfTraffic(scenario)
 */
export async function settingsOfTraffic(scenario: Scenario): Promise<FoundSettings> {
  const steps = scenario.steps.slice(0, decidingSteps)
  const best = await fitSettings(new RecordedAnswers(parseScenario({ ...scenario, steps })))
  const { profile, settings: changed } = toProfile(best.settings)
  const base = resolveSettings(profile)
  const responsesOf = (id: SettingId) =>
    best.answers.filter(({ differences, withOthers }) => {
      const changed = withOthers.get(id)?.get(base[id])
      return differences !== null && changed !== undefined && favours(differences, changed)
    }).length
  const settings = Object.entries(changed)
    .map(([id, value]) => ({ id, value, responses: responsesOf(id as SettingId) }))
    .filter(({ responses }) => responses > 0)
  return {
    profile,
    settings: Object.fromEntries(settings.map(({ id, value }) => [id, value])),
    responses: Object.fromEntries(settings.map(({ id, responses }) => [id, responses])),
  }
}

/** The responses that the steps of a scenario expect. */
export class RecordedAnswers implements ServiceAnswers {
  readonly profiles = ['documented', 'live'] as const
  readonly worlds = {}
  readonly #scenario: ParsedScenario

  constructor(scenario: ParsedScenario) {
    this.#scenario = scenario
  }

  async compare({ settings }: Trial, hasOthers = true): Promise<ComparedAnswer[]> {
    const { world = 'default', steps, seed, clock } = this.#scenario
    const simulator = openQuickSimulator({ world: world as WorldJson, settings, seed, clock })
    const { state } = simulator
    const numbers = numbersFrom(steps.filter(isRequestStep), settings)
    const sender = await createQuickSender(simulator)
    const answers: ComparedAnswer[] = []
    for await (const played of play({ steps }, sender)) {
      const { step, record, result, saved } = played
      if (!isRequestStep(step)) continue
      const isOfSideList = isSideList(record?.operation ?? null)
      // What a fault of the recording gave says nothing about the rules of the service.
      const isTried = record && !isByFault(record) && (hasOthers || isOfSideList)
      const tried = isTried ? otherAnswers(record, state, numbers) : []
      const filled = withSaved(step, saved)
      const others = Array.from(tried, ({ id, value, answer }) => {
        return { id, value, all: differencesOf(filled, answer) }
      })
      // If no value explains a list that follows from no other request, the world lacks its rows.
      const lacksRows =
        isOfSideList && [{ all: result.differences }, ...others].every(({ all }) => all.length > 0)
      const differences = (all: readonly StepDifference[]) =>
        toDifferences(lacksRows ? all.filter(isOfForm) : all)
      const withOthers = new Map<SettingId, Map<TriedValue, Differences>>()
      for (const { id, value, all } of hasOthers ? others : []) {
        setByValue(withOthers, id, value, differences(all))
      }
      answers.push({ differences: record && differences(result.differences), withOthers })
      // Later requests see the rows of a service that refused the write.
      const before =
        record && isRefused(step) ? state.changes.worldAt(record.changeIndex, state.loaded) : null
      if (before && state.changes.index > (record?.changeIndex ?? 0)) state.replaceRows(before)
    }
    return answers
  }
}

/** Whether a difference is one of the status, the kind of body or the fields, not of rows and values. */
function isOfForm(difference: StepDifference) {
  const isWhole = difference.path.length === 2 && !difference.inLength
  return isWhole || isOfOneSide(difference)
}

function isRefused({ expect = {} }: RequestStep) {
  return typeof expect.status === 'number' && expect.status >= 400
}

/** The numbers to try: those that the steps show, those beside the current one, and those of the profiles. */
function numbersFrom(steps: readonly RequestStep[], settings: SettingValues) {
  const numbers = settingIds.filter(isNumeric).map((id) => {
    const { default: usual, live = usual } = settingsById[id]
    const beside = [Number(settings[id]) - 1, Number(settings[id]) + 1, Number(usual), Number(live)]
    const all = new Set(steps.flatMap((step) => shownNumbers(id, step)))
    return [id, [...new Set([...[...all].slice(0, 20), ...beside])].filter((number) => number > 0)]
  })
  return Object.fromEntries(numbers)
}

/** With another status, the rest of a response differs of course. A broken connection is another status, too. */
function toDifferences(all: readonly StepDifference[]): Differences {
  const differences = all.map(
    (difference) => [nameOf(difference), toDifference(difference)] as const,
  )
  const status = differences.filter(([name]) => name === 'status')
  return new Map(status.length > 0 ? status : differences)
}

function nameOf({ where }: StepDifference) {
  return where === 'broken' ? 'status' : where
}

function toDifference(difference: StepDifference): AnswerDifference {
  const { where, got } = difference
  if (isOfOneSide(difference))
    return { kind: 'field', simulated: got === undefined ? 'absent' : 'present', words: null }
  const name = nameOf(difference)
  return {
    // A body of another kind, such as a list in place of an object, is certain to be of another value.
    kind: name === 'status' ? name : name === 'body' ? 'certain' : 'part',
    // That a service names a method does not say that it has the method.
    ...(where === 'headers.allow' && { subject: 'headers.allow' }),
    simulated: JSON.stringify(got) ?? 'nothing',
    words: null,
  }
}
