import type { Simulator } from '../simulator.ts'
import type { SimulatorOptions } from '../simulator-options.ts'
import type { As } from './as.ts'

/** What a test of Vitest or Playwright is given. */
export interface SimulatorFixtures {
  /** How the simulator of each test begins: for `test.override` in Vitest, `test.use` in Playwright. */
  simulatorOptions: SimulatorOptions
  /** Answers what is asked while the test runs: a new one for each test. */
  simulator: Simulator
  /** Who has the key of a label. */
  as: As
}
