import { expect } from 'vitest'
import type { Expectation } from './journal/expectation.ts'
import type { Remote } from './remote/remote.ts'
import type { ReplayOptions } from './scenarios/replay.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { toHaveReceived } from './vitest/to-have-received.ts'
import { toMatchScenario } from './vitest/to-match-scenario.ts'

export type { As, Caller } from './testing/as.ts'
export type { SimulatorFixtures } from './testing/fixtures.ts'
export { test } from './vitest/test.ts'

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
