import { UsageError } from '../../utils/usage-error.ts'

/** Where a worker comes from, and which pages it answers. */
interface WorkerLocation {
  readonly workerUrl: string
  readonly scope: string | undefined
}

/** What of a page is looked at. */
export interface PageGlobals {
  readonly location: { readonly href: string; readonly origin: string }
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistrations'> }
}

/**
 * Whether MSW's worker would answer the requests of a page.
 *
 * @throws UsageError where it could not, or where it would take the place of another one
 */
export async function checkPage(
  { workerUrl, scope }: WorkerLocation,
  { location, navigator }: PageGlobals = globalThis,
): Promise<void> {
  if (!navigator.serviceWorker) throw serviceWorkersUnavailable(location.origin)
  const script = new URL(workerUrl, location.href)
  const area = new URL(scope ?? '.', scope === undefined ? script : location.href).href
  if (!location.href.startsWith(area)) throw outsideScope(location.href, area)
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const { active, waiting, installing } = registration
    const scripts = [active, waiting, installing].flatMap((worker) => worker?.scriptURL ?? [])
    const other = scripts.find((one) => one !== script.href)
    // Of two, the one with the longer scope answers; of the same scope, there can be one.
    const hasPage = location.href.startsWith(registration.scope)
    if (other !== undefined && hasPage && registration.scope.length >= area.length)
      throw scopeTaken(other, registration.scope)
  }
}

function serviceWorkersUnavailable(origin: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: expected a page with service workers, got ${origin} without. Browsers have ` +
      'them on https and on http://localhost, and some not in private windows: open the page there, or let it ask ' +
      'understudy serve.',
  )
}

function outsideScope(page: string, area: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: expected a page below ${area}, which is as far as its worker reaches, got ` +
      `${page}. Put the worker file into the root of what is served (understudy init), and name it by workerUrl.`,
  )
}

function scopeTaken(other: string, scope: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: expected a page without another service worker, got one of ${other} for ` +
      `${scope}. It was left as it is: do not register it where Understudy answers, and end it once by ` +
      `(await navigator.serviceWorker.getRegistration(${JSON.stringify(scope)})).unregister().`,
  )
}

/** On the page itself, since a bundle, or a hot reload, may hold this module twice. */
const claimedMark = Symbol.for('understudy-api/in-browser')

/**
 * Takes the page for one simulator: of two, each request would be answered by either.
 *
 * @returns gives it back
 * @throws UsageError where another has it
 */
export function claimPage(page: object = globalThis): () => void {
  if (Reflect.get(page, claimedMark))
    throw new UsageError(
      'Failed to start in the browser: expected a page that no simulator answers yet, got one that does. ' +
        'Use the one that is there, or end it first with its stop().',
    )
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}
