import { parseScenario } from '../scenarios/format/check-scenario.ts'
import type { ScenarioSource } from '../scenarios/format/scenario.ts'
import { resolveSetup, runOptions, type SimulatorRunOptions } from '../scenarios/run/options.ts'
import type { RunResult } from '../scenarios/run/result.ts'
import { explanationOf, openRun, runScenario } from '../scenarios/run/run-scenario.ts'
import type { Sender } from '../scenarios/run/sender.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { decideStep } from './step-explainer.ts'

const simulatorRunSchema = optionsSchema<SimulatorRunOptions>({
  ...runOptions,
  in_place: option.flag,
})

/**
 * Runs a scenario in copies of a simulator, or with `in_place` in the simulator itself.
 *
 * @throws UsageError with every issue of the scenario
 */
export async function runInSimulator(
  source: ScenarioSource,
  allOptions: SimulatorRunOptions,
  simulator: Simulator,
): Promise<RunResult> {
  checkOptions(simulatorRunSchema, allOptions, 'run the scenario')
  const { in_place = false, ...options } = allOptions
  const scenario = parseScenario(source)
  if (in_place) {
    const field = (['world', 'profile', 'settings'] as const).find((name) => name in options)
    if (field) throw new UsageError(`in_place excludes ${field}. Set it in the simulator.`)
    return runScenario(
      scenario,
      async () => ({
        sender: withoutFaults(await createLocalSender(simulator)),
        explain: async ({ record }) => explanationOf(record && simulator.journal.entryOf(record)),
      }),
      options,
    )
  }
  const setup = resolveSetup(scenario, options)
  return runScenario(
    scenario,
    async () => {
      const copy = openRun(setup, simulator)
      return {
        sender: await createLocalSender(copy),
        explain: async (played, earlier, decides) => ({
          ...explanationOf(played.record && copy.journal.entryOf(played.record)),
          ...(decides && decideStep(played, earlier, copy.state)),
        }),
      }
    },
    options,
  )
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
