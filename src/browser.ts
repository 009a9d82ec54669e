export type { BrowserOptions, Persist } from './integrations/browser/page-simulator.ts'
export {
  type PageSimulator,
  type RunningInBrowser,
  startInBrowser,
} from './integrations/browser/start-in-browser.ts'
export type * from './types.ts'
