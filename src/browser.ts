export type { BrowserOptions } from './integrations/browser/browser-options.ts'
export type { Persist } from './integrations/browser/persist-world.ts'
export {
  type PageSimulator,
  type RunningInBrowser,
  startInBrowser,
} from './integrations/browser/start-in-browser.ts'
export type * from './types.ts'
