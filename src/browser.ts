export type { Persist } from './integrations/browser/persist-world.ts'
export {
  type BrowserOptions,
  type RunningInBrowser,
  startInBrowser,
} from './integrations/browser/start-in-browser.ts'
