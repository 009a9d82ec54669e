export {
  answerPages,
  type RoutedPages,
  type SimulatorFixtureDefinitions,
  simulatorFixtures,
} from './integrations/playwright/simulator-fixtures.ts'
export type { As, Caller, SimulatorFixtures } from './integrations/testing/fixtures.ts'
