import { expect } from 'vitest'
import type { Expectation } from './journal/expectation.ts'
import type { ReplayOptions } from './scenarios/replay.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { toHaveReceived } from './vitest/to-have-received.ts'
import { toMatchScenario } from './vitest/to-match-scenario.ts'

expect.extend({ toMatchScenario, toHaveReceived })

/** The matchers that `import 'understudy-api/vitest'` adds to Vitest, for `expect(simulator)`. */
export interface SimulatorMatchers {
  /**
   * A scenario, or that of a file, happens as it is written.
   *
   * @example await expect(simulator).toMatchScenario('scenarios/launch.json')
   */
  toMatchScenario(scenario: Scenario | string, options?: ReplayOptions): Promise<void>
  /**
   * Requests came, as often or in the order that is said.
   *
   * @example expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
   */
  toHaveReceived(expectation: Expectation): void
}

declare module 'vitest' {
  interface Matchers<T> extends SimulatorMatchers {}
}
