import type { HttpHandler } from 'msw'
import type { SetupWorker } from 'msw/browser'
import type { Panel } from '../../dashboard/panel.ts'
import { LiveMistakes } from '../../mistakes/follow-mistakes.ts'
import type { WrittenEntry } from '../../simulator/journal/written-entry.ts'
import { type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { UsageError } from '../../utils/errors.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import { latestRequest } from '../../utils/reports/merge-findings.ts'
import { abortOf, nextTurn, wait } from '../../utils/wait.ts'
import { completeWorld, type FixtureName, isBuiltInWorld } from '../../world/load/load-world.ts'
import { persistIn } from '../../world/persistence/persist-in-storage.ts'
import type { PartialWorldJson } from '../../world/world-json.ts'
import { OtherHandlers } from '../testing/other-requests.ts'
import { followAborts } from './follow-aborts.ts'

/** The simulator of a page. */
export interface PageSimulator extends Simulator {
  /** Opens the dashboard in a panel of the page. */
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
 * Does what `startInBrowser` says. A page loads this file in one chunk when it starts the simulator. A page that only imports
 * that function loads none of it.
 */
export async function startPage(
  options: BrowserOptions,
  setUp: (...handlers: HttpHandler[]) => SetupWorker,
): Promise<RunningInBrowser> {
  checkOptions(browserSchema, options, 'start in the browser')
  const { persist = 'tab', key = 'understudy', quiet = false, ...others } = options
  const { workerUrl, scope, world = 'default', ...more } = others
  const { mistakes = 'print', panel = false, ...rest } = more
  const { onError = console.error } = rest
  const ends = [claimPage()]
  const stop = () => {
    for (const end of ends.splice(0).reverse()) end()
  }
  try {
    const complete = isBuiltInWorld(world) ? world : await completeWorld(world, rest.seed)
    const simulator = createSimulator({ ...rest, world: complete })
    if (persist === 'tab') ends.push(persistIn(simulator, openStorage(), { key, onError }))
    if (!quiet) logRequests(simulator)
    if (mistakes === 'print') logMistakes(simulator)
    const aborts = followAborts()
    ends.push(aborts.stop)
    const worker = setUp(aborts.handler, ...simulator.handlers)
    ends.push(await startWorker(worker, options))
    let added: Promise<Panel> | null = null
    const addPanel = () => {
      added ??= import('../../dashboard/panel.ts').then((loaded) => {
        const panel = loaded.addPanel(simulator, `${key}-panel`)
        ends.push(panel.remove)
        return panel
      })
      return added
    }
    if (panel) await addPanel()
    const openPanel = async () => (await addPanel()).open()
    return { simulator: Object.assign(simulator, { openPanel }), worker, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** The options of `startInBrowser`. */
export interface BrowserOptions extends Omit<SimulatorOptions, 'world'> {
  /** The name of a fixture, or a world as JSON, which the factories can complete; default: `default` */
  readonly world?: FixtureName | PartialWorldJson
  /** Where the page stores the world; default: `tab` */
  readonly persist?: Persist
  /** The key of the storage item; default: `understudy` */
  readonly key?: string
  /** The URL of MSW's worker file; default: `/mockServiceWorker.js` */
  readonly workerUrl?: string
  /** The URL prefix of the pages that the worker controls; default: the folder of the worker file */
  readonly scope?: string
  /** Whether the console gets no line for each request */
  readonly quiet?: boolean
  /** Whether the console gets warnings for mistakes of the page; default: `print` */
  readonly mistakes?: 'off' | 'print'
  /** Whether the corner of the page has a button that opens the dashboard of the simulator; default: false */
  readonly panel?: boolean
  /** Called with exceptions from inside, and when the storage is full; default: `console.error` */
  readonly onError?: (error: unknown) => void
}

const browserSchema = optionsSchema<BrowserOptions>({
  ...simulatorOptions,
  persist: option.oneOf(['tab', 'none']),
  key: option.text,
  workerUrl: option.text,
  scope: option.text,
  quiet: option.flag,
  panel: option.flag,
  mistakes: option.oneOf(['off', 'print']),
})

/**
 * Where a page stores its world. `tab`: in the `sessionStorage` of the tab, so that each tab has its own world until
 * it is closed. `none`: nowhere, so that each reload starts with a new world.
 */
export type Persist = 'tab' | 'none'

/** @throws UsageError if there is none, or the browser denies it: it then throws when the property is read */
function openStorage() {
  let problem = 'it does not exist'
  try {
    if (globalThis.sessionStorage) return sessionStorage
  } catch (error) {
    problem = String(error)
  }
  throw new UsageError(
    `Failed to start in the browser: this page cannot use sessionStorage (${problem}). Allow this site to store data in ` +
      "the settings of the browser, or pass persist: 'none' to start with a new world after each reload.",
  )
}

/** Unhandled requests go to the network. msw 3 has another name for that option than msw 2. */
export const bypass = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const

/** Starts MSW's worker, and keeps it answering. @returns a function that stops it */
async function startWorker(
  worker: SetupWorker,
  { workerUrl, scope, quiet = false }: BrowserOptions,
) {
  const serviceWorker = {
    ...(workerUrl !== undefined && { url: workerUrl }),
    ...(scope !== undefined && { options: { scope } }),
  }
  await worker.start({ serviceWorker, quiet, ...bypass })
  const end = new AbortController()
  void keepAnswering(end.signal)
  return () => {
    end.abort()
    worker.stop()
  }
}

const intervalMs = 5_000

/**
 * Reminds the worker of this page. The worker of msw 2 forgets a page when the browser stops the worker, as in a tab that
 * was hidden for some minutes, and when the page may be left, as for a download. A page that comes back from the
 * back/forward cache is loaded again, because another page of the tab can have changed the saved world.
 */
async function keepAnswering(signal: AbortSignal) {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const own = workers?.controller?.scriptURL
  // MSW starts with this message, too. A worker that knows the page only confirms it.
  const remind = () => {
    if (workers?.controller?.scriptURL === own) workers?.controller?.postMessage('MOCK_ACTIVATE')
  }
  const tellLost = () => {
    const { scriptURL = own } = workers?.controller ?? {}
    if (scriptURL === own) return
    console.error(
      `[Understudy] The service worker ${scriptURL} has taken this page: its requests go to the network. Do not register it together with Understudy.`,
    )
  }
  workers?.addEventListener('controllerchange', tellLost, { signal })
  addEventListener('visibilitychange', remind, { signal })
  // MSW says in a microtask of its listener that the page is closed.
  addEventListener('beforeunload', () => void nextTurn().then(remind), { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { signal })
  while (await wait(intervalMs, abortOf(signal))) remind()
}

/**
 * Prints a line for each request to the console, with the reason for its response, in place of MSW's log. A path of the
 * API below another prefix has a hint.
 */
function logRequests(simulator: Simulator) {
  const { handlers, state } = simulator
  handlers.push(new OtherHandlers().explainUnknownPath)
  // Without a journal there are no reasons, so that MSW's log says as much.
  if (state.journal.isOff) return
  for (const handler of handlers) handler.log = async () => {}
  let isKeyExplained = false
  const print = ({ line, status, record }: WrittenEntry) => {
    const isRefused = status === 0 || status >= 400
    console[isRefused ? 'warn' : 'info'](`[Understudy] ${line}`)
    if (status !== 401 || record.fault || isKeyExplained) return
    isKeyExplained = true
    console.info(keyCure)
  }
  simulator.followWorlds(({ journal }) => void journal.followWritten(print))
}

/** Prints each mistake of the page soon after it has happened, and the first note of each rule. */
function logMistakes(simulator: Simulator) {
  new LiveMistakes(simulator, (mistake) => {
    const { rule, level, message, cure } = mistake
    const isNote = level === 'note'
    const name = isNote ? `note ${rule}` : rule
    const print = isNote ? console.info : console.warn
    print(`[Understudy] ${name}: ${message} ${cure} (${latestRequest(mistake)})`)
  })
}

const keyCure =
  '[Understudy] simulator.keys.list() has the keys of the world, and simulator.keys.issue({ value: … }) accepts the key of your page.'

/** The mark is on the page itself, because a bundle or a hot reload can load this module twice. */
const claimedMark = Symbol.for('understudy-api/in-browser')

/**
 * Claims the page for one simulator. With two simulators, either of them could answer a request.
 *
 * @returns a function that releases the page
 * @throws UsageError if another simulator runs on the page
 */
export function claimPage(): () => void {
  if (Reflect.get(globalThis, claimedMark)) {
    throw new UsageError(
      'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first, ' +
        'as in import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',
    )
  }
  Reflect.set(globalThis, claimedMark, true)
  return () => void Reflect.deleteProperty(globalThis, claimedMark)
}
