import { expect } from 'vitest'
import {
  toHaveNoClientMistakes,
  toHaveReceived,
  toPassScenario,
} from './integrations/vitest/matchers.ts'

export type { As, Caller, SimulatorFixtures } from './integrations/testing/fixtures.ts'
export { type Sweep, type SweepOptions, sweep } from './integrations/testing/sweep.ts'
export type {
  ClientMistakeOptions,
  SimulatorMatchers,
} from './integrations/vitest/matchers.ts'
export { reportRun, test, type VitestFixtures } from './integrations/vitest/test.ts'

expect.extend({
  toPassScenario,
  toMatchScenario: toPassScenario,
  toHaveReceived,
  toHaveNoClientMistakes,
})
