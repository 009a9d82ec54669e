import { freeWords } from '../free-words.ts'
import type { WorldSandbox } from '../sandbox.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import type { Simulator } from '../simulator.ts'
import { type LoadedWorld, loadWorld } from '../world/load.ts'
import { checkScenario } from './check.ts'
import { hereTarget } from './here-target.ts'
import { type ReplayOptions, replayIn } from './replay.ts'
import type { ReplayResult } from './result.ts'
import type { Scenario } from './scenario.ts'

/** How the world of a replay begins. What is missing is as it is now. */
export type Beginning = Pick<Scenario, 'world' | 'seed' | 'profile' | 'policies' | 'clock'>

/** What the world of a replay begins with. */
export function beginningOf(scenario: Scenario, options: ReplayOptions): Beginning {
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
export function rowsOf(
  { world }: Beginning,
  sandbox: WorldSandbox,
  sandboxes: Pick<Sandboxes, 'rowsOf'>,
): LoadedWorld {
  if (world === undefined) return sandbox.snapshot()
  if (typeof world === 'string') return sandboxes.rowsOf(world)
  return loadWorld(world, freeWords(sandbox.noted.plain))
}

/**
 * Replays a scenario in this process, in worlds of its own.
 *
 * @param fork makes such a world
 * @param baseUrl where the API begins in it
 * @throws UsageError with every fault of the scenario
 */
export async function replayHere(
  given: Scenario,
  options: ReplayOptions,
  fork: (beginning: Beginning) => Simulator,
  baseUrl: string,
): Promise<ReplayResult> {
  const scenario = checkScenario(given)
  const beginning = beginningOf(scenario, options)
  return replayIn(scenario, () => hereTarget(fork(beginning), baseUrl), options)
}
