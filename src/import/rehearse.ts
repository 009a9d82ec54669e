import { parseScenario } from '../scenarios/format/check-scenario.ts'
import type { ScenarioSource, ScenarioTest } from '../scenarios/format/scenario.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { breachOf } from './expected-rows.ts'
import { openRecording, type TestPhase } from './stand-in.ts'

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
    : expect.flatMap((expectation) => breachOf(expectation, simulator) ?? [])
  return { passed: unmet.length === 0, message: unmet.join('\n') }
}
