import { readdirSync } from 'node:fs'
import { root } from './root.ts'

declare global {
  /** The state of StrykerJS in this thread */
  var __stryker__: { activeMutant: string | undefined } | undefined
  var isSourceLoaded: boolean | undefined
}

// A thread tests many mutants with the same modules. One that loads while a mutant is active would keep its constants for
// the next mutants, or never load again: their tests would fail, or not run at all.
if (globalThis.__stryker__) globalThis.__stryker__.activeMutant = undefined
if (!globalThis.isSourceLoaded) {
  for (const path of readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })) {
    // The others need a browser, or run on import.
    if (/^(?!cli|integrations|server\/dashboard)\w+\/.*\.ts$/.test(path))
      await import(`${root}src/${path}`)
  }
  globalThis.isSourceLoaded = true
}
