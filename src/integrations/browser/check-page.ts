import mswPackage from 'msw/package.json' with { type: 'json' }
import { isSupportedMsw, parseWorkerVersion } from '../../adapters/msw-version.ts'
import type { startErrors } from './start-errors.ts'

/** The URL of the worker file, and the pages that the worker controls. */
interface WorkerLocation {
  readonly workerUrl: string
  readonly scope: string | undefined
}

interface PageGlobals {
  readonly location: { readonly href: string; readonly origin: string }
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistrations'> }
}

/** @throws UsageError if MSW's worker cannot control this page, or if it would replace another service worker */
export async function checkPage(
  { workerUrl, scope }: WorkerLocation,
  { location, navigator }: PageGlobals = globalThis,
): Promise<void> {
  const { href, origin } = location
  // A sandboxed frame throws when the property is read.
  const registrations = await (async () => navigator.serviceWorker?.getRegistrations())().catch(
    (error: Error) => refuse('deniedWorkers', error),
  )
  if (!registrations) return refuse('noWorkers', origin)
  const script = new URL(workerUrl, href)
  const scopeUrl = new URL(scope ?? '.', scope === undefined ? script : href).href
  if (!href.startsWith(scopeUrl)) return refuse('outOfScope', scopeUrl, href)
  for (const registration of registrations) {
    const { active, waiting, installing, scope: workerScope } = registration
    const scripts = [active, waiting, installing].flatMap((worker) => worker?.scriptURL ?? [])
    const other = scripts.find((url) => url !== script.href)
    // The worker with the longest matching scope controls the page. A scope has one worker at most.
    if (
      other !== undefined &&
      href.startsWith(workerScope) &&
      workerScope.length >= scopeUrl.length
    ) {
      return refuse('otherWorker', other, workerScope)
    }
  }
}

/** The mark is on the page itself, because a bundle or a hot reload can load this module twice. */
const claimedMark = Symbol.for('understudy-api/in-browser')

/**
 * Claims the page for one simulator. With two simulators, either of them could answer a request.
 *
 * @returns a function that releases the page
 * @throws UsageError if another simulator runs on the page
 */
export async function claimPage(page: object = globalThis): Promise<() => void> {
  if (Reflect.get(page, claimedMark)) return refuse('twice')
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}

/**
 * Checks that the worker file is served, and that its version matches the msw of the page. Their messages can differ
 * between versions.
 *
 * @param mswVersion the version of the msw that the page uses
 * @throws UsageError for an unsupported msw, and for a missing, foreign or mismatched worker file
 */
export async function checkWorkerFile(
  workerUrl: string,
  mswVersion: string = (mswPackage as { version: string }).version,
): Promise<void> {
  if (!isSupportedMsw(mswVersion)) return refuse('unsupportedMsw', mswVersion)
  const fileVersion = parseWorkerVersion(await fetchWorkerFile(workerUrl))
  if (fileVersion === null) return refuse('foreignFile', workerUrl)
  if (fileVersion !== mswVersion) {
    return refuse('otherVersion', mswVersion, workerUrl, fileVersion)
  }
}

async function fetchWorkerFile(workerUrl: string): Promise<string> {
  const refuseFile = (reason: number | string) => refuse('missingFile', workerUrl, reason)
  const response = await fetch(workerUrl, { cache: 'no-cache' }).catch(({ message }: Error) =>
    refuseFile(message),
  )
  return response.ok ? response.text() : refuseFile(response.status)
}

/** @throws UsageError always, with a sentence that the page loads only now */
export async function refuse<Name extends keyof typeof startErrors>(
  name: Name,
  ...parts: Parameters<(typeof startErrors)[Name]>
): Promise<never> {
  throw (await import('./start-errors.ts')).createStartError(name, parts)
}
