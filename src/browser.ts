export type {
  BrowserOptions,
  PageSimulator,
  Persist,
  RunningInBrowser,
} from './integrations/browser/page-simulator.ts'
export { startInBrowser } from './integrations/browser/start-in-browser.ts'
export type * from './types.ts'
