export type { BrowserOptions, Persist } from './integrations/browser/options.ts'
export { type RunningInBrowser, startInBrowser } from './integrations/browser/start-in-browser.ts'
