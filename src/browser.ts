export {
  type BrowserOptions,
  type PageSimulator,
  type RunningInBrowser,
  startInBrowser,
} from './integrations/browser/start-in-browser.ts'
