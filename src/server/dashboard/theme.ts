import { applyTheme } from './shell/theme.ts'

// Runs before anything is painted: a page that was asked to be dark does not flash white.
applyTheme(document.documentElement, localStorage)
