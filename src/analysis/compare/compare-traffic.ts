import { isSafeMethod } from '../../http/url.ts'
import type { ParsedScenario } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../../scenarios/format/scenario.ts'
import {
  fieldOfOneSide,
  formatDifference,
  type StepDifference,
} from '../../scenarios/run/differences.ts'
import { describeSettings } from './compared-settings.ts'
import { type Comparison, groupUnexplained } from './comparison.ts'
import { type Hypothesis, Run } from './run.ts'
import { Search } from './search.ts'
import { decidingSteps } from './settings-of-traffic.ts'
import { hasOtherStatus, resourceOf, StepJudge, type StepRun } from './step-judge.ts'
import { type ComparedStep, type PlayedStep, possibilities, StepScript } from './step-script.ts'

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
  const options = {
    undoesRefused: true,
    keepsSettings: false,
    possible: new Map(
      possible.map((index, number) => [index, nameOfWrite(number, index, scenario, nameOf)]),
    ),
  }
  const whole = new StepScript(scenario, options)
  const last = whole.steps[decidingSteps - 1]
  const isLong = whole.length > decidingSteps && last !== undefined
  const first = isLong
    ? new StepScript({ ...scenario, steps: scenario.steps.slice(0, last.index + 1) }, options)
    : whole
  const search = new Search(new StepJudge(first), onTrial)
  const found = await search.climb()
  const nameAt = (at: number): string => requestName(whole.steps[at] as ComparedStep, nameOf)
  const settings = await describeSettings(search, nameAt, {
    labels: null,
    allowsWrites: false,
    wasSent: () => false,
  })
  const best = isLong ? Run.start(whole, found.hypothesis) : found
  const { explained, unexplained, followUps, notSent } = await review(whole, best, nameAt)
  return {
    requests: whole.length,
    compared: whole.length - notSent.length,
    explained,
    settings,
    unexplained: groupUnexplained(unexplained),
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

/** Says what differs with the best settings. */
async function review(script: StepScript, best: StepRun, nameOf: (at: number) => string) {
  const unexplained: Parameters<typeof groupUnexplained>[0][number][] = []
  const spoilt = new Set<string>()
  const notSent: string[] = []
  let [explained, followUps] = [0, 0]
  for (const [at, { step }] of script.steps.entries()) {
    const { answer } = await best.at(at)
    const differences = withoutRowsOf(answer)
    const resource = resourceOf(step)
    if (answer.outcome === 'skipped') notSent.push(nameOf(at))
    else if (differences.every((each) => fieldOfOneSide(each) !== null)) explained += 1
    else if (spoilt.has(resource)) {
      followUps += 1
      continue
    }
    for (const difference of differences) unexplained.push(toUnexplained(difference, nameOf(at)))
    if (!isSafeMethod(step.method) && hasOtherStatus(answer)) spoilt.add(resource)
  }
  return { explained, unexplained, followUps, notSent }
}

/** With another status, the body differs of course. */
function withoutRowsOf(answer: PlayedStep): readonly StepDifference[] {
  const { differences } = answer
  return hasOtherStatus(answer)
    ? differences.filter(({ where }) => where === 'status' || where === 'broken')
    : differences
}

function toUnexplained(difference: StepDifference, request: string) {
  const field = fieldOfOneSide(difference)
  if (field !== null) {
    const isOfService = difference.got === undefined
    const [got, simulated] = isOfService ? ['present', 'absent'] : ['absent', 'present']
    return { part: `field ${field}`, got: got as string, simulated: simulated as string, request }
  }
  const { expected, got } = formatDifference(difference)
  const part = difference.where.replace(/\[\d+\]/g, '[]').replace(/^body\./, 'field ')
  return { part, got: expected, simulated: got, request }
}
