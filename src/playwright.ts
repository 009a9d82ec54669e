import { createMatchers, type SimulatorMatcherFunctions } from './integrations/testing/matchers.ts'

export { answerPages, simulatorFixtures } from './integrations/playwright/simulator-fixtures.ts'
export type { SimulatorFixtures } from './integrations/testing/fixtures.ts'

/**
 * Matchers for Playwright's `expect`: `toHaveReceived`, `toHaveNoClientMistakes` and `toPassScenario`, as those of
 * `understudy-api/vitest`. Await them for a simulator in another process.
 *
 * @example
 * import { expect as base } from '@playwright/test'
 * const expect = base.extend(simulatorMatchers)
 * expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
 */
export const simulatorMatchers: SimulatorMatcherFunctions = createMatchers()
