import { parseScenario, runError } from '../scenarios/format/check-scenario.ts'
import type { ScenarioSource } from '../scenarios/format/scenario.ts'
import type { RunResult } from '../scenarios/run/result.ts'
import {
  resolveSetup,
  runScenario,
  type ScenarioSetup,
  type SimulatorRunOptions,
  simulatorRunOptions,
} from '../scenarios/run/run-scenario.ts'
import type { Sender } from '../scenarios/run/sender.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import type { Sandboxes } from '../simulator/sandboxes/sandboxes.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { State } from '../simulator/state.ts'
import { isUsageError, UsageError } from '../utils/errors.ts'
import { checkOptions } from '../utils/options.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import { loadWorld } from '../world/load/load-world.ts'
import { createStepExplainer } from './step-explainer.ts'

/** Loads the initial rows of a run. By default these are the current rows. @throws UsageError */
export function loadSetupWorld(
  { world }: ScenarioSetup,
  state: State,
  sandboxes: Pick<Sandboxes<unknown>, 'loadSource'>,
): LoadedWorld {
  if (world === undefined) return state.snapshot()
  if (typeof world !== 'string') return loadWorld(world, state.settings)
  try {
    return sandboxes.loadSource(world)
  } catch (error) {
    if (!isUsageError(error)) throw error
    throw runError([{ path: ['world'], text: error.reason }])
  }
}

/**
 * Runs a scenario in simulators that `fork` creates, or in `own` with `in_place`.
 *
 * @throws UsageError with every issue of the scenario
 */
export async function runInSimulator(
  source: ScenarioSource,
  allOptions: SimulatorRunOptions,
  fork: (setup: ScenarioSetup) => Simulator,
  simulator: Simulator,
): Promise<RunResult> {
  checkOptions(allOptions, simulatorRunOptions, 'run the scenario')
  const { in_place = false, ...options } = allOptions
  const scenario = parseScenario(source)
  const { url } = simulator
  if (in_place) {
    const field = (['world', 'profile', 'settings'] as const).find((name) => name in options)
    if (field) throw new UsageError(`in_place excludes ${field}. Set it in the simulator.`)
    const open = async () => withoutFaults(await createLocalSender(simulator, url))
    return runScenario(scenario, open, options)
  }
  const setup = resolveSetup(scenario, options)
  const open = () => createLocalSender(fork(setup), url)
  const explain = createStepExplainer(scenario, (settings) =>
    fork({ ...setup, settings: { ...setup.settings, ...settings } }),
  )
  return runScenario(scenario, open, options, explain)
}

/** A sender with faults of its own: those of the scenario are neither added nor removed. */
function withoutFaults(sender: Sender): Sender {
  return {
    ...sender,
    async change(change) {
      const isFault =
        'fault' in change ||
        ('remove' in change && change.remove.startsWith('fault')) ||
        'clear' in change
      return isFault ? {} : sender.change(change)
    },
  }
}
