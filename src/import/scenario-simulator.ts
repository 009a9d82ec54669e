import { parseScenario } from '../scenarios/format/check-scenario.ts'
import {
  isRequestStep,
  type Scenario,
  type ScenarioSource,
  type ScenarioTest,
  type Step,
} from '../scenarios/format/scenario.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { openRun } from '../scenarios/run/run-scenario.ts'
import { maxRules } from '../simulator/faults/faults.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { withRecordedAnswers } from './answers.ts'
import { toClientScenario, withStart } from './client-scenario.ts'
import { breachesOf } from './failures.ts'
import { toFaults } from './incident.ts'
import { playWhole } from './played-scenario.ts'

/**
 * Creates a simulator in which a client meets what a recorded one met: the world, the settings and the clock of a scenario,
 * and its faults. Faults play what others did between the requests, and give the recorded responses that this world
 * would not give.
 *
 * @param options what the scenario does not say
 * @throws UsageError for an invalid option, a scenario without requests, or with up to 100 issues of it
 * @example setupServer(...(await createScenarioSimulator(recording)).handlers)
 */
export async function createScenarioSimulator(
  source: ScenarioSource,
  options: SimulatorOptions = {},
): Promise<Simulator> {
  const simulator = createSimulator(options)
  await openRecording(simulator, source)
  return simulator
}

/** Which faults of a test a client meets: the recorded ones, or those with a failed create carried out. */
export type TestPhase = 'recorded' | 'after-commit'

/** What a client needs that takes the place of the recorded one. */
export interface OpenedRecording {
  /** The value of the key that the recorded client sent first. Null if it sent none */
  readonly key: string | null
}

/** Opens a recording: its world, settings, clock and faults, or those of its test. @throws UsageError; then nothing changes */
export async function openRecording(
  simulator: Simulator,
  source: ScenarioSource,
  phase?: TestPhase,
): Promise<OpenedRecording> {
  const scenario = await withStart(parseScenario(source), simulator)
  const faults = phase ? faultsOfTest(scenario, phase) : await recordedFaults(scenario, simulator)
  const copy = openRun(resolveSetup(scenario), simulator)
  // The copy refuses too many before anything changes.
  copy.faults.addInitial(faults)
  simulator.state.startLike(copy.state)
  simulator.faults.startLike(copy.faults)
  const labels = scenario.steps.flatMap((step) => (isRequestStep(step) && step.as) || [])
  return { key: simulator.keys.list().find(({ label }) => label === labels[0])?.value ?? null }
}

function faultsOfTest({ title, test }: Scenario, phase: TestPhase) {
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
  const isServed = (step: Step) => isRequestStep(step) || 'fault' in step
  const steps = client.scenario.steps.filter(isServed)
  const whole = { ...scenario, steps }
  const { scenario: own, requests } = await withRecordedAnswers(whole, simulator, maxRules)
  return own.steps.flatMap((step, index) => toFaults(step, index, requests, true))
}

/** What a client needs in the place of the recorded one. */
export interface RehearsedClient {
  /** The base URL of the API. A simulator with interception has any */
  readonly url: string
  /** The value of the key of the recorded client. Empty if it sent none */
  readonly key: string
}

/**
 * Tests a client in the place of a recorded one: it meets the world and the faults of the test of a scenario, as `import --as`
 * writes it, and must do better. If a create failed that may have been carried out, the client is called again, with the create
 * carried out. The simulator keeps the world of the scenario afterwards.
 *
 * @param callMyClient sends requests to the simulator
 * @throws UsageError for a scenario without a test
 * @throws Error with a sentence for each expectation that is not met, and what the client throws
 * @example await rehearse(simulator, scenario, ({ url, key }) => createNote(url, key, 'Launch'))
 */
export async function rehearse(
  simulator: Simulator,
  source: ScenarioSource,
  callMyClient: (client: RehearsedClient) => unknown,
): Promise<void> {
  const scenario = parseScenario(source)
  const start = simulator.state.snapshot()
  for (const phase of phasesOf(scenario.test)) {
    // A scenario without a world starts with the rows of the simulator.
    simulator.state.replaceRows(start)
    const { key } = await openRecording(simulator, scenario, phase)
    simulator.journal.clear()
    await callMyClient({ url: simulator.url, key: key ?? '' })
    const { passed, message } = verifyTest(simulator, scenario)
    if (passed) continue
    const where = phase === 'recorded' ? '' : ', where the create that failed was carried out'
    throw new Error(`${message}${where}`)
  }
}

/** The phases of a test, of which each needs a run of its own. */
export function phasesOf(test: ScenarioTest | undefined): readonly TestPhase[] {
  return test?.faults_after_commit ? ['recorded', 'after-commit'] : ['recorded']
}

/** Whether the requests to a simulator are as a test expects. */
export interface VerifiedTest {
  readonly passed: boolean
  /** A sentence for each expectation that is not met */
  readonly message: string
}

/** @throws UsageError for an invalid scenario */
export function verifyTest(simulator: Simulator, source: ScenarioSource): VerifiedTest {
  const { expect = [] } = parseScenario(source).test ?? {}
  const isSilent = simulator.journal.find({ limit: 1, bodies: false }).length === 0
  const unmet = isSilent
    ? ['No request of the client has a response.']
    : breachesOf(expect, simulator)
  return { passed: unmet.length === 0, message: unmet.join('\n') }
}
