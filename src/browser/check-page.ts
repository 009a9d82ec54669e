import { UsageError } from '../usage-error.ts'

/** Where a worker comes from, and which pages it answers. */
interface WorkerPlace {
  readonly workerUrl: string
  readonly scope: string | undefined
}

/** What of a page is looked at. */
export interface LookedAt {
  readonly location: { readonly href: string; readonly origin: string }
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistrations'> }
}

/**
 * Whether MSW's worker would answer the requests of a page.
 *
 * @throws UsageError where it could not, or where it would take the place of another one
 */
export async function checkPage(
  { workerUrl, scope }: WorkerPlace,
  { location, navigator }: LookedAt = globalThis,
): Promise<void> {
  if (!navigator.serviceWorker) throw withoutWorkers(location.origin)
  const script = new URL(workerUrl, location.href)
  const area = new URL(scope ?? '.', scope === undefined ? script : location.href).href
  if (!location.href.startsWith(area)) throw outside(location.href, area)
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const { active, waiting, installing } = registration
    const scripts = [active, waiting, installing].flatMap((worker) => worker?.scriptURL ?? [])
    const other = scripts.find((one) => one !== script.href)
    // Of two, the one with the longer scope answers; of the same scope, there can be one.
    const hasPage = location.href.startsWith(registration.scope)
    if (other !== undefined && hasPage && registration.scope.length >= area.length)
      throw taken(other, registration.scope)
  }
}

function withoutWorkers(origin: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: expected a page with service workers, got ${origin} without. Browsers have ` +
      'them on https and on http://localhost, and some not in private windows: open the page there, or let it ask ' +
      'understudy serve.',
  )
}

function outside(page: string, area: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: expected a page below ${area}, which is as far as its worker reaches, got ` +
      `${page}. Put the worker file into the root of what is served (understudy init), and name it by workerUrl.`,
  )
}

function taken(other: string, scope: string): UsageError {
  return new UsageError(
    `Failed to start in the browser: expected a page without another service worker, got one of ${other} for ` +
      `${scope}. It was left as it is: do not register it where Understudy answers, and end it once by ` +
      `(await navigator.serviceWorker.getRegistration(${JSON.stringify(scope)})).unregister().`,
  )
}
