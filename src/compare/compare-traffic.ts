import { isNumeric } from '../explain/shown-numbers.ts'
import { fitSettings } from '../fit/fit-settings.ts'
import { RecordedAnswers, writesOfOthers } from '../fit/recorded-answers.ts'
import { decidingSteps } from '../fit/settings-of-traffic.ts'
import { isSuccess } from '../http/messages.ts'
import type { ParsedScenario } from '../scenarios/format/check-scenario.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingValues } from '../settings/setting.ts'
import {
  type Comparison,
  type Explained,
  reportedTrial,
  reviewAnswers,
  type Use,
} from './comparison.ts'
import { conclude, type SettingFinding } from './conclude.ts'
import { toVerdicts } from './verdicts.ts'

/** How traffic is compared. */
interface CompareTrafficOptions {
  /** Names a request by the index of its step */
  readonly nameOf: (step: number) => string
  readonly notes?: readonly string[]
  /** The indexes of steps that others may have taken: they count if no value explains what they explain */
  readonly possible?: readonly number[]
  /** The values that the service is expected to have, where its responses show none */
  readonly expected?: SettingValues
  /** Called for each request that a simulator gets */
  readonly onSent?: () => void
}

/**
 * Finds the settings with which a simulator answers like a service that was recorded. The scenario's own profile and
 * settings do not count.
 *
 * @param scenario its world is the one before the first request
 * @throws UsageError for a world that cannot be loaded
 */
export async function compareTraffic(
  scenario: ParsedScenario,
  {
    nameOf,
    notes = [],
    possible = [],
    expected = resolveSettings(),
    onSent,
  }: CompareTrafficOptions,
): Promise<Comparison> {
  const whole = new RecordedAnswers(scenario, possible, onSent)
  const { requests } = whole
  const isLong = requests.length > decidingSteps
  const steps = scenario.steps.slice(0, requests[decidingSteps - 1]?.index ?? 0)
  const deciding = isLong ? new RecordedAnswers({ ...scenario, steps }, possible, onSent) : whole
  const decided = await fitSettings(deciding)
  const nameAt = (at: number): string => {
    const { index, step } = requests[at] as (typeof requests)[number]
    return `${nameOf(index)} ${step.method} ${step.path}`
  }
  const writes = deciding.otherWrites(decided.answers)
  const usable = writes.flatMap((write, at) =>
    write === null && decided.answers[at]?.differences ? [at] : [],
  )
  const findings = conclude(decided, usable)
  const answers = await whole.compare(reportedTrial(decided, findings, expected), false)
  const uses = whole.otherWrites(answers).map((write, at): Use => {
    if (!answers[at]?.differences) return { why: 'not_sent', got: null }
    return write === null ? { why: 'usable', got: null } : { why: 'other_rows', got: nameAt(write) }
  })
  const doubt = (finding: SettingFinding): Explained | null =>
    mayBeMaximum(finding, deciding.longestPage) ?? otherRefusal(finding) ?? onlyOn405(finding)
  return {
    requests: requests.length,
    ...reviewAnswers(answers, uses, nameAt),
    settings: await toVerdicts(findings, decided, doubt, nameAt, null, onSent),
    notes: [
      ...notes,
      ...(decided.world[writesOfOthers] === 'happened'
        ? ['Taken as writes of others: what no value explains.']
        : []),
      ...(isLong ? [`The first ${decidingSteps} requests decide the settings.`] : []),
    ],
    left: [],
    ended: null,
  }

  /** Of other responses, a scenario keeps the header Allow only if they answer OPTIONS. */
  function onlyOn405({ id, best, by }: SettingFinding): Explained | null {
    const is405 = (at: number): boolean => requests[at]?.step.expect?.status === 405
    return id === 'headers.allow' && best === 'every_answer' && by.length > 0 && by.every(is405)
      ? {
          word: 'only_405',
          sentence: 'Only responses with 405 show it. Others may have the header or not.',
        }
      : null
  }

  /** A key with a missing scope may get another status than a key that is refused for something else. */
  function otherRefusal({ id, best }: SettingFinding): Explained | null {
    if (id !== 'keys.insufficient.status') return null
    const statuses = requests.flatMap(({ step: { as, path, expect } }, at) => {
      const { simulated = '' } = decided.answers[at]?.differences?.get('status') ?? {}
      // A row can be gone.
      const isOfList = /\/(annotations|plugins)\/?(\?|$)/.test(path)
      return as && isOfList && isSuccess(Number(simulated)) ? Number(expect?.status) : []
    })
    const status = statuses.find((got) => [403, 404].includes(got) && got !== Number(best))
    const sentence = `A missing scope may be the cause of the responses with ${status}, too.`
    return status === undefined ? null : { word: 'other_refusals', sentence }
  }
}

/** The usual maxima of a list. */
const maxima = [100, 1000]

function mayBeMaximum({ id, best }: SettingFinding, longestPage: number): Explained | null {
  if (!isNumeric(id) || id === 'limits.body') return null
  const isLongest = best === longestPage && maxima.includes(longestPage)
  const sentence = `${longestPage} may be the maximum, which hides it.`
  return isLongest ? { word: 'may_be_maximum', sentence } : null
}
