import type { SetupWorker } from 'msw/browser'
import { abortOf, nextTurn, wait } from '../../utils/wait.ts'

interface WorkerOptions {
  readonly workerUrl: string | undefined
  readonly scope: string | undefined
  /** Whether its start is not printed */
  readonly quiet: boolean
}

/** Starts MSW's worker, and keeps it answering. @returns a function that stops it */
export async function startWorker(
  worker: SetupWorker,
  { workerUrl, scope, quiet }: WorkerOptions,
): Promise<() => void> {
  const serviceWorker = {
    ...(workerUrl !== undefined && { url: workerUrl }),
    ...(scope !== undefined && { options: { scope } }),
  }
  // Unhandled requests go to the network. msw 3 has another name for that option than msw 2.
  const unhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
  await worker.start({ serviceWorker, quiet, ...unhandled })
  const end = new AbortController()
  void keepAnswering(end.signal)
  return () => {
    end.abort()
    worker.stop()
  }
}

const intervalMs = 5_000

const lost = (script: string): string =>
  `The service worker ${script} has taken this page: its requests go to the network. Do not register it together with Understudy.`

/**
 * Reminds the worker of this page. The worker of msw 2 forgets a page when the browser stops the worker, as in a tab that
 * was hidden for some minutes, and when the page may be left, as for a download. A page that comes back from the
 * back/forward cache is loaded again, because another page of the tab can have changed the saved world.
 */
async function keepAnswering(signal: AbortSignal): Promise<void> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const own = workers?.controller?.scriptURL
  // MSW starts with this message, too. A worker that knows the page only confirms it.
  const remind = (): void => {
    if (workers?.controller?.scriptURL === own) workers?.controller?.postMessage('MOCK_ACTIVATE')
  }
  const tellLost = (): void => {
    const { scriptURL = own } = workers?.controller ?? {}
    if (scriptURL !== own) console.error(`[Understudy] ${lost(String(scriptURL))}`)
  }
  workers?.addEventListener('controllerchange', tellLost, { signal })
  addEventListener('visibilitychange', remind, { signal })
  // MSW says in a microtask of its listener that the page is closed.
  addEventListener('beforeunload', () => void nextTurn().then(remind), { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { signal })
  while (await wait(intervalMs, abortOf(signal))) remind()
}
