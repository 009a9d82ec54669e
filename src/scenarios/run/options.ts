import type { Profile } from '../../settings/profiles.ts'
import type { SettingOverrides } from '../../settings/resolve.ts'
import type { ForkOptions } from '../../simulator/options.ts'
import { type OptionSchemas, option } from '../../utils/options.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Scenario } from '../format/scenario.ts'
import type { StepResult } from './result.ts'

/** How a scenario runs. */
export interface RunOptions {
  /**
   * The world of a scenario that names none: rows, a sandbox, `default` or `empty`, and with `runAt` any fixture. By
   * default the current rows of the simulator, or with `runAt` the rows that the server started with.
   */
  readonly world?: string | WorldJson | undefined
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile | undefined
  /** Added to the settings of the scenario. They take precedence. */
  readonly settings?: SettingOverrides | undefined
  /** Whether the scenario is only checked: no step runs, and the result has none. False by default. */
  readonly dry_run?: boolean | undefined
  /** Called with the result of each step. The next step waits for the returned promise. */
  readonly onStep?: ((result: StepResult) => unknown) | undefined
}

export const runOptions: OptionSchemas<RunOptions> = {
  world: option.any,
  profile: option.any,
  settings: option.any,
  dry_run: option.flag,
  onStep: option.callback,
}

/** Options of `simulator.run`. */
export interface SimulatorRunOptions extends RunOptions {
  /**
   * Whether the steps run in this simulator instead of a world of their own, as a recorded client would. They
   * change its rows, its journal, and what they set. The setup and the faults of the scenario are left out. False by
   * default.
   */
  readonly in_place?: boolean | undefined
}

/** The initial state of a run. Missing fields default to the current state. */
export type ScenarioSetup = Pick<Scenario, 'world'> & ForkOptions

export function resolveSetup(scenario: Scenario, options: RunOptions = {}): ScenarioSetup {
  const { world = options.world, seed, clock } = scenario
  const profile = options.profile ?? scenario.profile
  const settings = { ...scenario.settings, ...options.settings }
  return { settings, seed, profile, clock, ...(world !== undefined && { world }) }
}
