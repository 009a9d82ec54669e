import { expect } from 'vitest'
import { toHaveReceived, toMatchScenario } from './integrations/vitest/matchers.ts'
import type { Remote } from './remote/connect.ts'
import type { Expectation } from './sandbox/journal/expectation.ts'
import type { Scenario } from './scenarios/format/scenario.ts'
import type { ReplayOptions } from './scenarios/run/run-scenario.ts'

export type { As, Caller, SimulatorFixtures } from './integrations/testing/fixtures.ts'
export { test } from './integrations/vitest/test.ts'

expect.extend({ toMatchScenario, toHaveReceived })

/** The matchers that `import 'understudy-api/vitest'` adds to Vitest, for `expect(simulator)`. */
export interface SimulatorMatchers<T = unknown> {
  /**
   * A scenario, or that of a file, happens as it is written.
   *
   * @example await expect(simulator).toMatchScenario('scenarios/launch.json')
   */
  toMatchScenario(scenario: Scenario | string, options?: ReplayOptions): Promise<void>
  /**
   * Requests came, as often or in the order that is said. Of a simulator in another process it is awaited.
   *
   * @example expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
   * @example await expect(connect(url)).toHaveReceived({ operation: 'createAnnotation', count: 1 })
   */
  toHaveReceived(expectation: Expectation): T extends Remote ? Promise<void> : void
}

declare module 'vitest' {
  interface Matchers<T> extends SimulatorMatchers<T> {}
}
