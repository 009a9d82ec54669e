import type { Simulator } from '../simulator.ts'
import type { SimulatorOptions } from '../simulator-options.ts'
import type { As } from '../testing/as.ts'

/** What a test of `understudy-api/vitest` is given. */
export interface SimulatorFixtures {
  /** How the simulator of each test begins: for `test.override`, in a file or in a suite. */
  simulatorOptions: SimulatorOptions
  /** Answers what is asked while the test runs: a new one for each test. */
  simulator: Simulator
  /** Who has the key of a label. */
  as: As
}
