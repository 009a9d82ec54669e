import { type SetupWorker, setupWorker } from 'msw/browser'
import type { Simulator } from '../../simulator/simulator.ts'
import type { BrowserOptions } from './page-simulator.ts'

/** The simulator of a page. */
export interface PageSimulator extends Simulator {
  /** Opens the dashboard in a panel of the page. It loads now. */
  openPanel(): Promise<void>
}

/** A page whose requests the simulator answers. */
export interface RunningInBrowser {
  /** To change data, inject faults or read the journal. */
  readonly simulator: PageSimulator
  /** MSW's worker, for `use`, `events` and so on */
  readonly worker: SetupWorker
  /** Stops the worker: requests go to the network again. The storage keeps the world. */
  readonly stop: () => void
}

/**
 * Answers the API requests of this page inside the page, through MSW's worker, from a world that survives reloads.
 *
 * @throws UsageError for a denied storage, a storage item that is not a world, and an invalid world; the error of MSW for a
 *   worker that the browser does not register
 * @example
 * const { simulator } = await startInBrowser({ world: 'default' })
 * simulator.faults.add({ preset: 'slow-3g' })
 */
export async function startInBrowser(options: BrowserOptions = {}): Promise<RunningInBrowser> {
  // Before zod loads: it would try whether it may compile code, and a Content-Security-Policy would report that.
  Reflect.set(globalThis, '__zod_globalConfig', { jitless: true })
  const page = await import('./page-simulator.ts')
  page.checkBrowserOptions(options)
  const { persist = 'tab', key = 'understudy', quiet = false, ...others } = options
  const { workerUrl, scope, world = 'default', ...more } = others
  const { mistakes = 'print', panel = false, ...rest } = more
  const { onError = console.error } = rest
  const ends = [page.claimPage()]
  const stop = (): void => {
    for (const end of ends.splice(0).reverse()) end()
  }
  try {
    const { createSimulator, followAborts, logMistakes, logRequests, persistWorld, startWorker } =
      page
    const complete = page.isBuiltInWorld(world) ? world : await page.completeWorld(world, rest.seed)
    const simulator = createSimulator({ ...rest, world: complete })
    ends.push(persistWorld(simulator, persist, { key, onError }))
    if (!quiet) logRequests(simulator)
    if (mistakes === 'print') logMistakes(simulator)
    const aborts = followAborts()
    ends.push(aborts.stop)
    const worker = setupWorker(aborts.handler, ...simulator.handlers)
    ends.push(await startWorker(worker, { workerUrl, scope, quiet }))
    const { addPanel, openPanel } = page.offerPanel(simulator, `${key}-panel`, ends)
    if (panel) await addPanel()
    return { simulator: Object.assign(simulator, { openPanel }), worker, stop }
  } catch (error) {
    stop()
    throw error
  }
}
