export { answerPages, type RoutedPages } from './integrations/playwright/answer-pages.ts'
export {
  type SimulatorFixtureDefinitions,
  simulatorFixtures,
} from './integrations/playwright/simulator-fixtures.ts'
export type { As, Caller, SimulatorFixtures } from './integrations/testing/fixtures.ts'
