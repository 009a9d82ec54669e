export type { BrowserOptions, Persist } from './browser/options.ts'
export { type InBrowser, startInBrowser } from './browser/start-in-browser.ts'
