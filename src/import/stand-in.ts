import { bodilessStatuses } from '../http/messages.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import {
  type ExpectedResponse,
  isRequestStep,
  type Scenario,
  type ScenarioSource,
  type Step,
} from '../scenarios/format/scenario.ts'
import {
  fillValue,
  findNames,
  matchers,
  type SavedValues,
  toSpecialValue,
} from '../scenarios/format/values.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { parseTextBody } from '../scenarios/run/play.ts'
import type { StepResult } from '../scenarios/run/result.ts'
import { openRun } from '../scenarios/run/run-scenario.ts'
import type { FaultEffect, FaultRule } from '../simulator/faults/fault.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import type { Json } from '../world/rows.ts'
import { toClientScenario } from './client-scenario.ts'
import { type PlayedScenario, playWhole, toFaults } from './incident.ts'
import { withStart } from './start.ts'

/**
 * Creates a simulator in which a client meets what a recorded one met: the world, the settings and the clock of a scenario,
 * and its faults. Faults play what others did between the requests, and give the recorded responses that this world
 * would not give.
 *
 * @param options what the scenario does not say
 * @throws UsageError for a scenario without requests, or with every issue of it
 * @example setupServer(...(await standInFor(recording)).handlers)
 */
export async function standInFor(
  source: ScenarioSource,
  options: SimulatorOptions = {},
): Promise<Simulator> {
  const simulator = createSimulator(options)
  await openRecording(simulator, source)
  return simulator
}

/** Which faults of a test a client meets: the recorded ones, or those with a failed create carried out. */
export type TestPhase = 'before' | 'after-commit'

/** What a client needs that takes the place of the recorded one. */
export interface OpenedRecording {
  /** The value of the key that the recorded client sent first. Null if it sent none */
  readonly key: string | null
}

/**
 * Opens a recording in a simulator: its world, its settings, its clock and its faults. A reset returns to them.
 *
 * @param phase adds the faults of the scenario's test in place of those of its steps
 * @throws UsageError for a scenario without requests, or with every issue of it; then nothing changes
 */
export async function openRecording(
  simulator: Simulator,
  source: ScenarioSource,
  phase?: TestPhase,
): Promise<OpenedRecording> {
  const scenario = await withStart(parseScenario(source), simulator)
  const faults = phase ? faultsOfTest(scenario, phase) : await recordedFaults(scenario, simulator)
  simulator.state.startLike(openRun(resolveSetup(scenario), simulator).state)
  simulator.faults.startWith(faults)
  const labels = scenario.steps.flatMap((step) => (isRequestStep(step) && step.as) || [])
  return { key: simulator.keys.list().find(({ label }) => label === labels[0])?.value ?? null }
}

function faultsOfTest({ title, test }: Scenario, phase: TestPhase): readonly FaultRequest[] {
  if (test) return (phase === 'after-commit' && test.faults_after_commit) || test.faults
  throw new UsageError(
    `${JSON.stringify(title)} has no test. Write one with: npx understudy-api import FILE --as RUNNER`,
  )
}

/** The faults that its client met, and one for each response that the world would not give. */
async function recordedFaults(
  scenario: Scenario,
  simulator: Simulator,
): Promise<readonly FaultRequest[]> {
  const client = toClientScenario(scenario, await playWhole(scenario, simulator), () => true)
  // The other changes are not made while a client is served: the responses after them are as recorded.
  const isServed = (step: Step): boolean => isRequestStep(step) || 'fault' in step
  let own: Scenario = { ...scenario, steps: client.scenario.steps.filter(isServed) }
  const answered = new Set<Step>()
  for (;;) {
    const played = await playWhole(own, simulator)
    const answers = answersOf(played, answered)
    if (answers.size === 0)
      return own.steps.flatMap((step, index) => toFaults(step, index, played.exchanged, true))
    const steps = own.steps.flatMap((step) => {
      const fault = answers.get(step)
      return fault ? [{ fault }, step] : [step]
    })
    for (const step of answers.keys()) answered.add(step)
    own = { ...own, steps }
  }
}

/** A fault for each response that the world does not give as recorded, unless the connection broke. */
function answersOf(
  { played, exchanged }: PlayedScenario,
  answered: ReadonlySet<Step>,
): Map<Step, FaultRule> {
  const answers = new Map<Step, FaultRule>()
  for (const { index, step, result, savedNow } of played) {
    const { outcome, response } = result
    const entry = exchanged.find((request) => request.index === index)?.entry
    if (outcome !== 'failed' || !entry || !response || answered.has(step)) continue
    if (!isRequestStep(step) || step.expect?.broken) continue
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
