import type { ParsedScenario } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../../scenarios/format/scenario.ts'
import { describeSettings } from './compared-settings.ts'
import type { Comparison } from './comparison.ts'
import type { Hypothesis } from './hypothesis.ts'
import { Judge } from './judge.ts'
import { RecordedEvidence } from './recorded.ts'
import { review } from './review.ts'
import { Run } from './run.ts'
import { type ComparedStep, possibilities, Script } from './script.ts'
import { Search } from './search.ts'
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
  const names = possible.map((index, number) => nameOfWrite(number, index, scenario, nameOf))
  const options = {
    undoesRefused: true,
    possible: new Map(possible.map((index, number) => [index, names[number] as string])),
  }
  const whole = new Script(scenario, options)
  const last = whole.steps[decidingSteps - 1]
  const isLong = whole.length > decidingSteps && last !== undefined
  const first = isLong
    ? new Script({ ...scenario, steps: scenario.steps.slice(0, last.index + 1) }, options)
    : whole
  const search = new Search(new Judge(new RecordedEvidence(first)), onTrial)
  const found = await search.climb()
  const nameAt = (at: number): string => requestName(whole.steps[at] as ComparedStep, nameOf)
  const settings = await describeSettings(search, nameAt, {
    labels: null,
    allowsWrites: false,
    wasSent: () => false,
  })
  const judge = isLong ? new Judge(new RecordedEvidence(whole)) : search.judge
  const best = isLong ? Run.start(whole, found.hypothesis) : found
  const { followUps, ...reviewed } = await review(judge, best, nameAt)
  const notSent: string[] = []
  for (let at = 0; at < whole.length; at += 1) {
    if ((await best.at(at)).outcome === 'skipped') notSent.push(nameAt(at))
  }
  return {
    requests: whole.length,
    ...reviewed,
    settings,
    notes: [
      ...notes,
      ...listWrites(found.hypothesis),
      ...(isLong ? [`The first ${decidingSteps} requests decide the settings.`] : []),
      ...(followUps > 0
        ? [`${followUps} more differ after a write that no value explains, and may follow from it.`]
        : []),
      ...notSent.map((name) => `Not compared, because an earlier response lacks a value: ${name}.`),
    ],
    left: [],
    ended: null,
  }
}

/** The writes of others that explain responses. */
function listWrites(hypothesis: Hypothesis): string[] {
  const happened = Object.entries(hypothesis).filter(([, value]) => value === possibilities[1])
  return happened.map(
    ([name]) => `Taken as ${name.replace(/^world\./, '')}: what no value explains.`,
  )
}

/** From how many writes of others on they happened all, or none of them. */
const maxSingleWrites = 12

/** Names what others may have done. */
function nameOfWrite(
  number: number,
  index: number,
  { steps }: ParsedScenario,
  nameOf: (step: number) => string,
): string {
  if (number >= maxSingleWrites) return 'world.further writes of others'
  const next = steps.findIndex((step, at) => at > index && isRequestStep(step))
  return `world.a write of others before ${nameOf(next)}`
}

function requestName({ index, step }: ComparedStep, nameOf: (step: number) => string): string {
  return `${nameOf(index)} ${step.method} ${step.path}`
}
