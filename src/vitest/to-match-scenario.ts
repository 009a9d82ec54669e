import type { ReplayOptions } from '../scenarios/replay.ts'
import { scenarioReport } from '../scenarios/report.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Simulator } from '../simulator.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { MatcherResult } from './outcome.ts'

/**
 * Whether a scenario happens in a simulator as it is written. What differs is shown as `understudy replay` shows it.
 *
 * @param given a scenario, or the path of its file
 * @throws UsageError for what is no simulator, and with every fault of the file
 */
export async function toMatchScenario(
  simulator: Simulator,
  given: Scenario | string,
  options: ReplayOptions = {},
): Promise<MatcherResult> {
  if (typeof simulator?.replay !== 'function') {
    throw unexpectedValue('match a scenario', 'a simulator', simulator)
  }
  const scenario = typeof given === 'string' ? await readScenarioFile(given, simulator) : given
  const result = await simulator.replay(scenario, options)
  const name = typeof given === 'string' ? given : 'the scenario'
  return {
    pass: result.held,
    message: () =>
      result.held
        ? `expected the simulator not to match ${name}, and all of it is as expected`
        : `expected the simulator to match ${name}\n\n${scenarioReport(result)}`,
  }
}

/** Only who names files needs a file system. Fixtures that are files are read, too. */
async function readScenarioFile(file: string, { sandboxes }: Simulator): Promise<Scenario> {
  const { readScenario } = await import('../read-scenario.ts')
  const scenario = await readScenario(file)
  const { fixtureNames, readWorld } = await import('../read-world.ts')
  const { world } = scenario
  if (typeof world === 'string' && fixtureNames.includes(world)) {
    sandboxes.addFixture(world, await readWorld(world))
  }
  return scenario
}
