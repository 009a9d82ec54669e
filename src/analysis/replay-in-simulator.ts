import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Sandboxes } from '../sandbox/sandboxes/sandboxes.ts'
import type { SimulatorBase } from '../sandbox/simulator-base.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { ReplayResult } from '../scenarios/run/result.ts'
import {
  type ReplayOptions,
  replayOptionNames,
  resolveSetup,
  runScenario,
  type ScenarioSetup,
  withAssumedWorld,
} from '../scenarios/run/run-scenario.ts'
import { createLocalTarget } from '../scenarios/run/simulator-target.ts'
import { rejectUnknownFields } from '../utils/usage-error.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import { loadWorld } from '../world/load/load-world.ts'
import { createStepExplainer } from './policy-search.ts'

/** Loads the initial rows of a replay. By default these are the current rows. @throws UsageError */
export function loadSetupWorld(
  { world }: ScenarioSetup,
  sandbox: Sandbox,
  sandboxes: Pick<Sandboxes<unknown>, 'loadSource'>,
): LoadedWorld {
  if (world === undefined) return sandbox.snapshot()
  if (typeof world === 'string') return sandboxes.loadSource(world)
  return loadWorld(world, sandbox.policyTracker.untracked)
}

/** Replays a scenario in simulators that `fork` creates. @throws UsageError with every issue of the scenario */
export async function runInSimulator(
  source: Scenario,
  options: ReplayOptions,
  fork: (setup: ScenarioSetup) => SimulatorBase,
  baseUrl: string,
): Promise<ReplayResult> {
  rejectUnknownFields(options, Object.keys(replayOptionNames), 'replay the scenario')
  const scenario = parseScenario(source)
  const setup = resolveSetup(scenario, options)
  const open = () => createLocalTarget(fork(setup), baseUrl)
  return withAssumedWorld(
    await runScenario(scenario, open, options, createStepExplainer),
    scenario,
    options,
  )
}
