import { type SetupWorker, setupWorker } from 'msw/browser'
import { pageOptions, type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import type { PartialWorldJson } from '../../world/factories/partial-rows.ts'
import type { FixtureName } from '../../world/load/build-world.ts'
import { checkPage, claimPage, refuseStart } from './check-page.ts'
import type { Persist } from './persist-world.ts'

/** The options of `startInBrowser`. */
export interface BrowserOptions extends Omit<SimulatorOptions, 'world'> {
  /** The name of a fixture, or a world as JSON, which the factories can complete; default: `default` */
  readonly world?: FixtureName | PartialWorldJson
  /** Where the page stores the world; default: `tab` */
  readonly persist?: Persist
  /** The key of the storage item; default: `understudy` */
  readonly key?: string
  /** The URL of MSW's worker file; default: `mockServiceWorker.js` in the root, or in a folder of the page */
  readonly workerUrl?: string
  /** The URL prefix of the pages that the worker controls; default: the folder of the worker file */
  readonly scope?: string
  /** Whether the console gets no line for each request */
  readonly quiet?: boolean
  /** Whether the console gets a warning for each mistake of the page; default: `print` */
  readonly mistakes?: 'off' | 'print'
  /** Whether the corner of the page has a button that opens the dashboard of the simulator; default: false */
  readonly panel?: boolean
  /** Called with exceptions from inside, and when the storage is full; default: `console.error` */
  readonly onError?: (error: unknown) => void
}

const browserSchema = optionsSchema<BrowserOptions>({
  ...simulatorOptions,
  ...pageOptions,
  mistakes: option.oneOf(['off', 'print']),
})

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
 * Everything is checked before anything starts.
 *
 * @throws UsageError for a page without service workers, a missing or foreign worker file, an unsupported msw, a page
 *   that another worker controls, a denied storage, a storage item that is not a world, and an invalid world
 * @example
 * const { simulator } = await startInBrowser({ world: 'default' })
 * simulator.faults.add({ preset: 'slow-3g' })
 */
export async function startInBrowser(options: BrowserOptions = {}): Promise<RunningInBrowser> {
  checkOptions(browserSchema, options, 'start in the browser')
  const { persist = 'tab', key = 'understudy', quiet = false, ...others } = options
  const { workerUrl, scope, world = 'default', ...more } = others
  const { mistakes = 'print', panel = false, ...rest } = more
  const { onError = console.error } = rest
  const ends = [await claimPage()]
  const stop = (): void => {
    for (const end of ends.splice(0).reverse()) end()
  }
  try {
    const location = await checkPage({ workerUrl, scope })
    const page = await import('./page-simulator.ts')
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
    const started = startWorker(worker, { ...location, quiet })
    ends.push(await started.catch((error: Error) => refuseStart('noRegistration', error)))
    const { addPanel, openPanel } = page.offerPanel(simulator, `${key}-panel`, ends)
    if (panel) await addPanel()
    return { simulator: Object.assign(simulator, { openPanel }), worker, stop }
  } catch (error) {
    stop()
    throw error
  }
}
