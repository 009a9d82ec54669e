import { uncheckedFields } from '../free-words.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import type { Simulator } from '../simulator.ts'
import { type LoadedWorld, loadWorld } from '../world/load.ts'
import { parseScenario } from './check.ts'
import { createLocalTarget } from './here-target.ts'
import { type ReplayOptions, runScenario } from './replay.ts'
import type { ReplayResult } from './result.ts'
import type { Scenario } from './scenario.ts'

/** How the world of a replay begins. What is missing is as it is now. */
export type ScenarioSetup = Pick<Scenario, 'world' | 'seed' | 'profile' | 'policies' | 'clock'>

/** What the world of a replay begins with. */
export function resolveSetup(scenario: Scenario, options: ReplayOptions): ScenarioSetup {
  const { world, seed, clock } = scenario
  const profile = options.profile ?? scenario.profile
  const policies = { ...scenario.policies, ...options.policies }
  return {
    policies,
    ...(world !== undefined && { world }),
    ...(seed !== undefined && { seed }),
    ...(profile !== undefined && { profile }),
    ...(clock !== undefined && { clock }),
  }
}

/** The rows that it begins with: those of a name, or of a world, or as they are now. @throws UsageError */
export function loadSetupWorld(
  { world }: ScenarioSetup,
  sandbox: Sandbox,
  sandboxes: Pick<Sandboxes, 'loadSource'>,
): LoadedWorld {
  if (world === undefined) return sandbox.snapshot()
  if (typeof world === 'string') return sandboxes.loadSource(world)
  return loadWorld(world, uncheckedFields(sandbox.noted.untracked))
}

/**
 * Replays a scenario in this process, in worlds of its own.
 *
 * @param fork makes such a world
 * @param baseUrl where the API begins in it
 * @throws UsageError with every fault of the scenario
 */
export async function runInSimulator(
  given: Scenario,
  options: ReplayOptions,
  fork: (beginning: ScenarioSetup) => Simulator,
  baseUrl: string,
): Promise<ReplayResult> {
  const scenario = parseScenario(given)
  const beginning = resolveSetup(scenario, options)
  return runScenario(scenario, () => createLocalTarget(fork(beginning), baseUrl), options)
}
