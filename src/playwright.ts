import { matchers, type SimulatorMatcherFunctions } from './integrations/testing/matchers.ts'

export {
  answerPages,
  type FinishedTest,
  type Route,
  type RoutedPages,
  type SimulatorFixtureDefinitions,
  simulatorFixtures,
  type TestedContext,
} from './integrations/playwright/simulator-fixtures.ts'
export type * from './types.ts'

/**
 * Matchers for Playwright's `expect`: `toHaveReceived`, `toHaveNoClientMistakes` and `toPassScenario`, as those of
 * `understudy-api/vitest`.
 *
 * @example
 * import { expect as base } from '@playwright/test'
 * const expect = base.extend(simulatorMatchers)
 * expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
 */
export const simulatorMatchers: SimulatorMatcherFunctions = matchers
