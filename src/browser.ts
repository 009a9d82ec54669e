export {
  type BrowserOptions,
  type RunningInBrowser,
  startInBrowser,
} from './integrations/browser/start-in-browser.ts'
