import { type SetupWorker, setupWorker } from 'msw/browser'
import { createSimulator, type Simulator } from '../simulator.ts'
import { checkPage } from './check-page.ts'
import { checkWorkerFile } from './check-worker-file.ts'
import { claimPage } from './claim-page.ts'
import { filledWorld } from './filled-world.ts'
import { keepWorld } from './keep-world.ts'
import type { BrowserOptions } from './options.ts'

/** A page that is answered. */
export interface InBrowser {
  readonly simulator: Simulator
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
 * @example const { simulator } = await startInBrowser({ world: 'default', persist: 'shared' })
 */
export async function startInBrowser(options: BrowserOptions = {}): Promise<InBrowser> {
  const { persist = 'tab', key = 'understudy', handlers = [], quiet = false, ...rest } = options
  const { workerUrl = '/mockServiceWorker.js', scope, world = 'default', ...more } = rest
  const { onError = console.error } = more
  const giveBack = claimPage()
  let endKeeping = (): void => {}
  try {
    await checkPage({ workerUrl, scope })
    await checkWorkerFile(workerUrl)
    const simulator = createSimulator({ ...more, world: await filledWorld(world, more.seed) })
    endKeeping = keepWorld(simulator, { persist, key, onError })
    const worker = setupWorker(...handlers, ...simulator.handlers)
    await worker.start(startOptions({ workerUrl, scope, quiet }))
    return {
      simulator,
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

/** Requests that nobody answers go their way: pages ask for much else. msw 3 has another word for it. */
function startOptions({
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
