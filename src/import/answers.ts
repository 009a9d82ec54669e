import { bodilessStatuses } from '../http/messages.ts'
import {
  type ExpectedResponse,
  isRequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
import {
  fillValue,
  findNames,
  matchers,
  type SavedValues,
  toSpecialValue,
} from '../scenarios/format/values.ts'
import { formatStepWarnings, type StepWarning } from '../scenarios/recording/step-warnings.ts'
import { type PlayedStep, parseTextBody } from '../scenarios/run/play.ts'
import { describeFailedSteps, type StepResult } from '../scenarios/run/result.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import type { FaultEffect, FaultRule } from '../simulator/faults/fault.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isObject } from '../utils/json.ts'
import type { Json } from '../world/rows.ts'
import type { ImportedScenario } from './import-exchanges.ts'
import { type PlayedScenario, playWhole } from './incident.ts'

/** A scenario that replays as recorded. */
interface Answered {
  readonly scenario: Scenario
  readonly played: PlayedScenario
  /** The index of a step, by the one that it had before */
  stepOf(step: number): number
  /** Names the steps that needed a fault, and those that still differ */
  readonly warnings: readonly StepWarning[]
}

/**
 * Adds a fault before each request that a simulator does not answer as recorded, whatever the rows and the settings: it gives
 * the recorded response after the request was carried out.
 *
 * @param simulator knows the world of the scenario
 */
export async function withRecordedAnswers(
  scenario: Scenario,
  simulator: Simulator,
): Promise<Answered> {
  const answered = new Map<Step, StepResult>()
  for (let own = scenario; ; ) {
    const played = await playWhole(own, simulator)
    const answers = answersOf(played, answered)
    // The search went on without them, such as a row that others add although a request has created it.
    const impossible = new Set(played.played.filter(isImpossible).map(({ step }) => step))
    if (answers.size + impossible.size === 0) {
      const results = [...answered].map(([step, result]) => {
        return { ...result, step: own.steps.indexOf(step) + 1 }
      })
      return {
        ...{ scenario: own, played },
        stepOf: (step) => own.steps.indexOf(scenario.steps[step] as Step),
        warnings: [
          ...describeFailedSteps({ steps: results }, byFault),
          ...describeFailedSteps(played.result),
        ],
      }
    }
    for (const [index, { step }] of played.played.entries())
      if (answers.has(step)) answered.set(step, played.result.steps[index] as StepResult)
    const possible = own.steps.filter((step) => !impossible.has(step))
    const steps = possible.flatMap((step) => {
      const fault = answers.get(step)
      return fault ? [{ fault }, step] : [step]
    })
    own = { ...own, steps }
  }
}

/**
 * The scenario of an import, which replays as recorded, and what a reader must know, in sentences.
 *
 * @param own the scenario, or that of one of its clients
 * @param stepOf the index of a step in `own`. Null if it is not there
 */
export async function toReplaying(
  { isWhole, warnings }: ImportedScenario,
  own: Scenario,
  stepOf: (step: number) => number | null = (step) => step,
): Promise<{ readonly scenario: Scenario; readonly sentences: readonly string[] }> {
  if (isWhole) return { scenario: own, sentences: formatStepWarnings(warnings, stepOf) }
  const answered = await withRecordedAnswers(own, await simulatorFor(own))
  const inAnswered = (step: number): number | null => {
    const index = stepOf(step)
    return index === null ? null : answered.stepOf(index)
  }
  const sentences = [
    ...formatStepWarnings(warnings, inAnswered),
    ...formatStepWarnings(answered.warnings),
  ]
  return { scenario: answered.scenario, sentences }
}

const byFault = 'replays by a fault, because a simulator answers otherwise'

/** Whether a step is a change of the world that cannot be made. */
function isImpossible({ step, result }: PlayedStep): boolean {
  return !isRequestStep(step) && result.outcome === 'failed'
}

/** A fault for each response that the world does not give as recorded, unless the connection broke. */
function answersOf(
  { played, exchanged }: PlayedScenario,
  answered: ReadonlyMap<Step, unknown>,
): Map<Step, FaultRule> {
  const answers = new Map<Step, FaultRule>()
  for (const { index, step, result, savedNow } of played) {
    const { outcome, response } = result
    const entry = exchanged.find((request) => request.index === index)?.entry
    if (outcome !== 'failed' || !entry || !response || answered.has(step)) continue
    if (!isRequestStep(step) || step.expect?.broken) continue
    // Its fault gave the response already, in so far as one can.
    if ('status' in Object(entry.fault?.effect)) continue
    const saved = new Map([...savedNow, ['base_url', '{base_url}']])
    const effect = recordedEffect(step.expect ?? {}, response, saved)
    const { method, path, key } = entry
    answers.set(step, {
      method: method as NonNullable<FaultRule['method']>,
      path,
      ...(key?.label && { key: key.label }),
      when: { times: 1 },
      phase: 'after-commit',
      effect,
    })
  }
  return answers
}

/** Gives the recorded response, with what the simulated one has where it is open. */
function recordedEffect(
  expected: ExpectedResponse,
  simulated: NonNullable<StepResult['response']>,
  saved: SavedValues,
): FaultEffect {
  const { headers = {}, body, exact_body: whole, text } = expected
  const status = typeof expected.status === 'number' ? expected.status : simulated.status
  const isAlike = Math.floor(status / 100) === Math.floor(simulated.status / 100)
  const shown = isAlike ? simulated.text : ''
  const recorded =
    text === undefined
      ? overlay(whole ?? body, parseTextBody(shown), whole !== undefined, saved)
      : overlay(text, shown, true, saved)
  const texts = Object.entries(headers).filter(([, value]) => typeof value === 'string')
  return {
    status,
    ...(texts.length > 0 && { headers: Object.fromEntries(texts) as Record<string, string> }),
    ...(recorded !== undefined && !bodilessStatuses.includes(status) && { body: recorded as Json }),
  }
}

/** Recorded values over simulated ones. Values that change with each run stay simulated. */
function overlay(
  recorded: unknown,
  simulated: unknown,
  isWhole: boolean,
  saved: SavedValues,
): unknown {
  if (recorded === undefined) return simulated
  const special = toSpecialValue(recorded)
  if (special?.keyword === '$literal') return recorded
  if (special?.keyword === '$saved' || special?.keyword === '$text') {
    const isKnown = findNames(recorded, []).every(({ name }) => saved.has(name))
    return isKnown ? fillValue(recorded, saved) : simulated
  }
  if (special?.keyword === '$match') {
    const { example, matches } = matchers[String(special.value)] ?? {}
    return matches?.(simulated) ? simulated : example
  }
  if (special) return simulated
  if (Array.isArray(recorded)) {
    const items: readonly unknown[] = Array.isArray(simulated) ? simulated : []
    return recorded.map((item, index) => overlay(item, items[index], isWhole, saved) ?? null)
  }
  if (!isObject(recorded)) return recorded
  const base = isObject(simulated) ? simulated : {}
  const fields = Object.entries(recorded).map(([name, value]) => [
    name,
    overlay(value, base[name], isWhole, saved),
  ])
  const merged = { ...(isWhole ? {} : base), ...Object.fromEntries(fields) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}
