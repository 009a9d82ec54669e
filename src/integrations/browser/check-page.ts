import mswPackage from 'msw/package.json' with { type: 'json' }
import { isSupportedMsw, parseWorkerVersion } from '../../adapters/msw-version.ts'
import { isError } from '../../utils/kinds.ts'
import type { startErrors } from './start-errors.ts'

/** Where MSW's worker file is, and the pages that the worker controls. */
interface WorkerLocation {
  readonly workerUrl: string
  readonly scope: string | undefined
}

interface PageGlobals {
  readonly location: { readonly href: string; readonly origin: string }
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistrations'> }
}

/**
 * Finds MSW's worker file, in the folders of the page if its URL is not named, and checks that its worker can control this
 * page. Its version must be that of the msw of the page: their messages can differ between versions.
 *
 * @param mswVersion the version of the msw that the page uses
 * @throws UsageError for an unsupported msw, for a missing, foreign or mismatched worker file, and if the worker cannot
 *   control this page, or would replace another service worker
 */
export async function checkPage(
  {
    workerUrl,
    scope,
  }: { readonly workerUrl: string | undefined; readonly scope: string | undefined },
  { location, navigator }: PageGlobals = globalThis,
  mswVersion: string = (mswPackage as { version: string }).version,
): Promise<WorkerLocation> {
  const { href, origin } = location
  if (!isSupportedMsw(mswVersion)) return refuseStart('unsupportedMsw', mswVersion)
  // A sandboxed frame throws when the property is read.
  const registrations = await (async () => navigator.serviceWorker?.getRegistrations())().catch(
    (error: Error) => refuseStart('deniedWorkers', error),
  )
  if (!registrations) return refuseStart('noWorkers', origin)
  const file = await findWorkerFile(workerUrl ? [workerUrl] : placesOf(href), mswVersion)
  const script = new URL(file.url, href)
  const scopeUrl = new URL(scope ?? '.', scope === undefined ? script : href).href
  const widest = new URL(file.allowed ?? '.', script).href
  if (!scopeUrl.startsWith(widest)) return refuseStart('scopeTooWide', file.url, widest, scopeUrl)
  if (!href.startsWith(scopeUrl)) return refuseStart('outOfScope', scopeUrl, href)
  for (const registration of registrations) {
    const { active, waiting, installing, scope: workerScope } = registration
    const scripts = [active, waiting, installing].flatMap((worker) => worker?.scriptURL ?? [])
    const otherScript = scripts.find((url) => url !== script.href)
    // The worker with the longest matching scope controls the page. A scope has one worker at most.
    if (
      otherScript !== undefined &&
      href.startsWith(workerScope) &&
      workerScope.length >= scopeUrl.length
    ) {
      return refuseStart('otherWorker', otherScript, workerScope)
    }
  }
  return { workerUrl: file.url, scope }
}

/** The URLs that the worker file can have: the root first, then each folder down to the page. */
function placesOf(href: string): string[] {
  const folders = new URL(href).pathname.split('/').filter(Boolean)
  return ['', ...folders].map((_, depth) =>
    ['', ...folders.slice(0, depth), 'mockServiceWorker.js'].join('/'),
  )
}

interface WorkerFile {
  readonly url: string
  /** The header with which a server allows pages outside of its folder */
  readonly allowed: string | null
}

async function findWorkerFile(places: readonly string[], mswVersion: string): Promise<WorkerFile> {
  const problems: string[] = []
  for (const url of places) {
    const response = await fetch(url, { cache: 'no-cache' }).catch((error: Error) => error)
    if (isError(response) || !response.ok) {
      const problem = isError(response) ? response.message : response.status
      problems.push(`${url} (${problem})`)
      continue
    }
    const version = parseWorkerVersion(await response.text())
    if (version === mswVersion)
      return { url, allowed: response.headers.get('service-worker-allowed') }
    problems.push(`${url} (${version ? `of msw ${version}` : 'another file'})`)
  }
  return refuseStart('missingFile', mswVersion, problems)
}

/** @throws UsageError always, with a sentence that the page loads only now */
export async function refuseStart<Name extends keyof typeof startErrors>(
  name: Name,
  ...parts: Parameters<(typeof startErrors)[Name]>
): Promise<never> {
  throw (await import('./start-errors.ts')).createStartError(name, parts)
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
  if (Reflect.get(page, claimedMark)) return refuseStart('twice')
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}
