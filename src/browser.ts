export type { BrowserOptions, Persist } from './browser/options.ts'
export { type RunningInBrowser, startInBrowser } from './browser/start-in-browser.ts'
