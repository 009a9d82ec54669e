export { answerPages, type RoutedPages } from './adapters/playwright.ts'
export {
  type SimulatorFixtureDefinitions,
  simulatorFixtures,
} from './playwright/simulator-fixtures.ts'
export type { As, Caller } from './testing/as.ts'
export type { SimulatorFixtures } from './testing/fixtures.ts'
