import { type SetupWorker, setupWorker } from 'msw/browser'
import { openRouter, type Router } from '../../sandbox/router.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { optionNames, type SimulatorOptions, withSeed } from '../../sandbox/simulator-options.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { Simulator } from '../../simulator.ts'
import { type OptionNames, rejectUnknownFields } from '../../utils/errors.ts'
import type { PartialWorldJson } from '../../world/factories/partial-rows.ts'
import type { BuiltInWorld, FixtureName, LoadedWorld } from '../../world/load/build-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { checkPage, checkWorkerFile, claimPage, refuse } from './check-page.ts'
import type { Persist } from './persist-world.ts'

/** The options of `startInBrowser`. */
export interface BrowserOptions extends Omit<SimulatorOptions, 'world'> {
  /** The name of a built-in world, or a world as JSON, which the factories can complete; default: `default` */
  readonly world?: BuiltInWorld | PartialWorldJson
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
  /** Called with exceptions from inside, and when the storage is full; default: `console.error` */
  readonly onError?: (error: unknown) => void
}

const browserOptionNames: readonly string[] = [
  ...optionNames,
  ...Object.keys({
    persist: true,
    key: true,
    workerUrl: true,
    scope: true,
    quiet: true,
  } satisfies OptionNames<Omit<BrowserOptions, keyof SimulatorOptions>>),
]

/** A page whose requests the simulator answers. */
export interface RunningInBrowser {
  /**
   * Loads the simulator: to change data, inject faults or read the journal. The page itself needs only the part that
   * answers requests, so the rest loads on the first call.
   *
   * @throws TypeError if its files cannot be loaded; a later call tries again
   * @example const simulator = await running.simulator()
   */
  simulator(): Promise<Simulator>
  /** MSW's worker, for `use`, `events` and so on */
  readonly worker: SetupWorker
  /** Stops the worker: requests go to the network again. The storage keeps the world. */
  stop(): void
}

/**
 * Answers the API requests of this page inside the page, through MSW's worker, from a world that survives reloads.
 * Everything is checked before anything starts.
 *
 * @throws UsageError for a page without service workers, a missing or foreign worker file, an unsupported msw, a page
 *   that another worker controls, a denied storage, a storage item that is not a world, and an invalid world
 * @example
 * const running = await startInBrowser({ world: 'default' })
 * const simulator = await running.simulator()
 * simulator.faults.add({ preset: 'slow-3g' })
 */
export async function startInBrowser(options: BrowserOptions = {}): Promise<RunningInBrowser> {
  rejectUnknownFields(options, browserOptionNames, 'start in the browser')
  const { persist = 'tab', key = 'understudy', quiet = false, ...rest } = options
  const { workerUrl = '/mockServiceWorker.js', scope, world = 'default', ...routerOptions } = rest
  const { onError = console.error, profile, settings: overrides, seed, sandboxes } = routerOptions
  const ends = [await claimPage()]
  const stop = (): void => {
    for (const end of ends.splice(0).reverse()) end()
  }
  try {
    await checkPage({ workerUrl, scope })
    await checkWorkerFile(workerUrl)
    const settings = resolveSettings(profile, overrides)
    const loaded = withSeed(await openPageWorld(world, settings, seed), seed)
    const router = openRouter(loaded, settings, routerOptions)
    if (persist !== 'none') {
      const { persistWorld, toPersistable } = await import('./persist-world.ts')
      ends.push(await persistWorld(toPersistable(router), persist, { key, onError }))
    }
    const log = quiet ? null : (await import('./log-requests.ts')).logRequests(router)
    const simulator = lazySimulator(router, sandboxes, log)
    if (routerOptions.explain) (await simulator()).explainsInHeader = true
    const worker = setupWorker(...router.handlers)
    const { startWorker } = await import('./start-worker.ts')
    const started = startWorker(worker, { workerUrl, scope, quiet })
    ends.push(await started.catch((error: Error) => refuse('noRegistration', error)))
    return { simulator, worker, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** @param log prints the requests to a sandbox */
function lazySimulator(
  router: Router,
  limit: number | undefined,
  log: ((sandbox: Sandbox) => void) | null,
): () => Promise<Simulator> {
  let loading: Promise<Simulator> | null = null
  const open = async (): Promise<Simulator> => {
    const { Simulator } = await import('../../simulator.ts')
    const simulator = new Simulator(router, limit)
    if (log) simulator.sandboxes.follow((_, { sandbox }) => log(sandbox))
    return simulator
  }
  return () => {
    loading ??= open().catch((error) => {
      loading = null
      throw error
    })
    return loading
  }
}

/**
 * Opens the world of a page. The built-in worlds, the world checks and the factories are large, so each loads only for
 * a world that needs it.
 *
 * @param seed the seed of generated rows; default: the seed of the world
 * @throws UsageError for an invalid world, or one that the factories cannot complete
 */
async function openPageWorld(
  world: FixtureName | PartialWorldJson,
  settings: SettingValues,
  seed?: number,
): Promise<LoadedWorld> {
  if (typeof world !== 'object' || world === null) {
    const { openBuiltInWorld } = await import('../../world/load/built-in-worlds.ts')
    return openBuiltInWorld(world)
  }
  const { loadWorld } = await import('../../world/load/load-world.ts')
  if (world.generate === undefined) return loadWorld(world as WorldJson, settings)
  const { generate } = await import('../../world/factories/generate.ts')
  return loadWorld(generate(world, seed === undefined ? {} : { seed }), settings)
}
