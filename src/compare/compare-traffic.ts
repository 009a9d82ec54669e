import type { ParsedScenario } from '../scenarios/format/check-scenario.ts'
import type { Comparison } from './comparison.ts'
import { isExplained } from './differences.ts'
import { conclude, type Fit, fitSettings, review } from './fit.ts'
import { describeFindings } from './further-probes.ts'
import { RecordedEvidence, writesOfOthers } from './recorded.ts'
import { decidingSteps } from './settings-of-traffic.ts'

/** How traffic is compared. */
interface CompareTrafficOptions {
  /** Names a request by the index of its step */
  readonly nameOf: (step: number) => string
  readonly notes?: readonly string[]
  /** The indexes of steps that others may have taken: they count if no value explains what they explain */
  readonly possible?: readonly number[]
  /** Called after each set of settings that was tried */
  readonly onTrial?: () => void
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
  { nameOf, notes = [], possible = [], onTrial }: CompareTrafficOptions,
): Promise<Comparison> {
  const whole = new RecordedEvidence(scenario, possible)
  const { requests } = whole
  const isLong = requests.length > decidingSteps
  const steps = scenario.steps.slice(0, requests[decidingSteps - 1]?.index ?? 0)
  const evidence = isLong ? new RecordedEvidence({ ...scenario, steps }, possible) : whole
  const found = await fitSettings(evidence, onTrial)
  const best: Fit = isLong ? { ...found, answers: await whole.answer(found) } : found
  const nameAt = (at: number): string => {
    const { index, step } = requests[at] as (typeof requests)[number]
    return `${nameOf(index)} ${step.method} ${step.path}`
  }
  const usable = whole.usable(best.answers)
  const isSpoilt = best.answers.filter(
    ({ own }, at) => own && !usable.includes(at) && !isExplained(own),
  )
  const notSent = best.answers.flatMap(({ own }, at) => (own ? [] : [nameAt(at)]))
  return {
    requests: requests.length,
    ...review(best, usable, nameAt),
    settings: await describeFindings(conclude(found, evidence), found, nameAt, null),
    notes: [
      ...notes,
      ...(found.world[writesOfOthers] === 'happened'
        ? ['Taken as writes of others: what no value explains.']
        : []),
      ...(isLong ? [`The first ${decidingSteps} requests decide the settings.`] : []),
      ...(isSpoilt.length > 0
        ? [
            `${isSpoilt.length} more differ after a write that no value explains, and may follow from it.`,
          ]
        : []),
      ...notSent.map((name) => `Not compared, because an earlier response lacks a value: ${name}.`),
    ],
    left: [],
    ended: null,
  }
}
