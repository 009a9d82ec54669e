import { UsageError } from '../../utils/usage-error.ts'

/** The URL of the worker file, and the pages that the worker controls. */
interface WorkerLocation {
  readonly workerUrl: string
  readonly scope: string | undefined
}

/** The globals of a page that the check reads. */
export interface PageGlobals {
  readonly location: { readonly href: string; readonly origin: string }
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistrations'> }
}

/**
 * Checks that MSW's worker can control this page.
 *
 * @throws UsageError if it cannot, or if it would replace another service worker
 */
export async function checkPage(
  { workerUrl, scope }: WorkerLocation,
  { location, navigator }: PageGlobals = globalThis,
): Promise<void> {
  if (!navigator.serviceWorker) throw serviceWorkersUnavailable(location.origin)
  const script = new URL(workerUrl, location.href)
  const scopeUrl = new URL(scope ?? '.', scope === undefined ? script : location.href).href
  if (!location.href.startsWith(scopeUrl)) throw outsideScope(location.href, scopeUrl)
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const { active, waiting, installing } = registration
    const scripts = [active, waiting, installing].flatMap((worker) => worker?.scriptURL ?? [])
    const other = scripts.find((url) => url !== script.href)
    // The worker with the longest matching scope controls the page. A scope has one worker at most.
    const controlsPage = location.href.startsWith(registration.scope)
    if (other !== undefined && controlsPage && registration.scope.length >= scopeUrl.length)
      throw scopeTaken(other, registration.scope)
  }
}

function serviceWorkersUnavailable(origin: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: ${origin} has no service workers. Browsers have them on https: and on ` +
      'http://localhost, and some browsers not in private windows. Open the page there, or run a server: ' +
      'understudy serve.',
  )
}

function outsideScope(page: string, scope: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: the worker controls pages below ${scope}, but this page is ${page}. ` +
      'Put the worker file into the root of the served folder (understudy init), and set workerUrl.',
  )
}

function scopeTaken(other: string, scope: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: the service worker ${other} controls ${scope}. It was not changed. ` +
      'Do not register it together with Understudy, and unregister it once with ' +
      `(await navigator.serviceWorker.getRegistration(${JSON.stringify(scope)})).unregister().`,
  )
}

/** The mark is on the page itself, because a bundle or a hot reload can load this module twice. */
const claimedMark = Symbol.for('understudy-api/in-browser')

/**
 * Claims the page for one simulator. With two simulators, either of them could answer a request.
 *
 * @returns a function that releases the page
 * @throws UsageError if another simulator runs on the page
 */
export function claimPage(page: object = globalThis): () => void {
  if (Reflect.get(page, claimedMark))
    throw new UsageError(
      'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first.',
    )
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}
