import { setupWorker } from 'msw/browser'
import type { BrowserOptions, RunningInBrowser } from './page-simulator.ts'

/**
 * Answers the API requests of this page inside the page, through MSW's worker, from a world that by default survives reloads.
 *
 * @throws UsageError for an invalid option or world, a second simulator on the page, a denied storage, and a storage item that
 *   is not a world; the error of MSW for a worker that the browser does not register
 * @example
 * const { simulator } = await startInBrowser({ world: 'default' })
 * simulator.faults.add({ preset: 'slow-3g' })
 */
export async function startInBrowser(options: BrowserOptions = {}): Promise<RunningInBrowser> {
  const { startPage } = await import('./page-simulator.ts')
  return startPage(options, setupWorker)
}
