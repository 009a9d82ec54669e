import { type SetupWorker, setupWorker } from 'msw/browser'
import { resolvePolicies } from '../../policies/settings.ts'
import { openRouter, type Router } from '../../sandbox/router.ts'
import { withSeed } from '../../sandbox/simulator-options.ts'
import type { Simulator } from '../../simulator.ts'
import { rejectUnknownFields } from '../../utils/usage-error.ts'
import type { PartialWorldJson } from '../../world/factories/partial-rows.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { type BuiltInWorld, openBuiltInWorld } from '../../world/load/build-world.ts'
import type { UncheckedField } from '../../world/world-format.ts'
import { uncheckedFields } from '../../world/world-format.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { checkPage, claimPage } from './check-page.ts'
import { checkWorkerFile } from './check-worker-file.ts'
import { type BrowserOptions, browserOptionNames } from './options.ts'
import { persistWorld, toPersistable } from './persist-world.ts'

/** A page that is answered. */
export interface RunningInBrowser {
  /**
   * The simulator around what answers: to arrange, to disturb and to look at it. It is loaded when it is first asked
   * for, since most pages only ask the API.
   *
   * @throws TypeError where its files cannot be loaded; ask again when they can
   * @example const simulator = await started.simulator()
   */
  simulator(): Promise<Simulator>
  /** MSW's own worker, for `use`, `events` and the like. */
  readonly worker: SetupWorker
  /** Ends it: requests leave the page again. The storage keeps the world. */
  stop(): void
}

/**
 * Answers the requests of a page to the API, in the page: through MSW's worker, from a world that survives a reload.
 * What is wrong is told before anything is begun.
 *
 * @throws UsageError for a page without service workers, a worker file that is missing or not MSW's, an msw that is
 *   too old, another worker that has the page, a storage that is denied or holds something else, a bad world
 * @example
 * const started = await startInBrowser({ world: 'default', persist: 'shared' })
 * const simulator = await started.simulator()
 * simulator.faults.add({ preset: 'slow-3g' })
 */
export async function startInBrowser(options: BrowserOptions = {}): Promise<RunningInBrowser> {
  rejectUnknownFields(options, browserOptionNames, 'answer the page')
  const { persist = 'tab', key = 'understudy', handlers = [], quiet = false, ...rest } = options
  const { workerUrl = '/mockServiceWorker.js', scope, world = 'default', ...more } = rest
  const { onError = console.error } = more
  const giveBack = claimPage()
  let endKeeping = (): void => {}
  try {
    await checkPage({ workerUrl, scope })
    await checkWorkerFile(workerUrl)
    const settings = resolvePolicies(more.profile, more.policies)
    const loaded = withSeed(
      await openPageWorld(world, uncheckedFields(settings), more.seed),
      more.seed,
    )
    const service = openRouter(loaded, settings, more)
    endKeeping = await persistWorld(toPersistable(service), { persist, key, onError })
    const worker = setupWorker(...handlers, ...service.handlers)
    await worker.start(workerStartOptions({ workerUrl, scope, quiet }))
    return {
      simulator: lazySimulator(service, more.sandboxes),
      worker,
      stop() {
        worker.stop()
        endKeeping()
        giveBack()
      },
    }
  } catch (error) {
    endKeeping()
    giveBack()
    throw error
  }
}

/** The same one each time; after a failure, another try. */
function lazySimulator(service: Router, sandboxes?: number): () => Promise<Simulator> {
  let opened: Promise<Simulator> | null = null
  return () => {
    opened ??= import('../../simulator.ts').then(
      ({ Simulator }) => new Simulator(service, sandboxes),
      (error) => {
        opened = null
        throw error
      },
    )
    return opened
  }
}

/** Requests that nobody answers go their way: pages ask for much else. msw 3 has another word for it. */
function workerStartOptions({
  workerUrl,
  scope,
  quiet,
}: {
  readonly workerUrl: string
  readonly scope: string | undefined
  readonly quiet: boolean
}): Parameters<SetupWorker['start']>[0] {
  const serviceWorker = { url: workerUrl, ...(scope !== undefined && { options: { scope } }) }
  const unhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
  return { serviceWorker, quiet, ...unhandled }
}

/**
 * The world that a page begins with. What weighs more than all the rest is loaded where it is needed, and only then:
 * the checks for a world as JSON, the factories where it leaves rows to them.
 *
 * @param seed what generated rows follow from; by default the world's own seed
 * @throws UsageError for a world that cannot be filled, or has faults
 */
async function openPageWorld(
  world: BuiltInWorld | PartialWorldJson,
  free: readonly UncheckedField[],
  seed?: number,
): Promise<LoadedWorld> {
  if (typeof world !== 'object' || world === null) return openBuiltInWorld(world)
  const { loadWorld } = await import('../../world/load/load-world.ts')
  return loadWorld(
    world.generate === undefined ? (world as WorldJson) : await generateRows(world, seed),
    free,
  )
}

async function generateRows(world: PartialWorldJson, seed?: number): Promise<WorldJson> {
  const { generate } = await import('../../world/factories/generate.ts')
  return generate(world, seed === undefined ? {} : { seed })
}
