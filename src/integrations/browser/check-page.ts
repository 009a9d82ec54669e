import mswPackage from 'msw/package.json' with { type: 'json' }
import { UsageError } from '../../utils/usage-error.ts'
import { isSupportedMsw, parseWorkerVersion, supportedMswVersions } from './msw-version.ts'

/** The URL of the worker file, and the pages that the worker controls. */
interface WorkerLocation {
  readonly workerUrl: string
  readonly scope: string | undefined
}

export interface PageGlobals {
  readonly location: { readonly href: string; readonly origin: string }
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistrations'> }
}

/** @throws UsageError if MSW's worker cannot control this page, or if it would replace another service worker */
export async function checkPage(
  { workerUrl, scope }: WorkerLocation,
  { location, navigator }: PageGlobals = globalThis,
): Promise<void> {
  const { href, origin } = location
  if (!navigator.serviceWorker) {
    throw startError(
      `${origin} has no service workers. They need https: or http://localhost, and in some browsers no private ` +
        'window. Open the page there, or run a server: npx understudy-api serve.',
    )
  }
  const script = new URL(workerUrl, href)
  const scopeUrl = new URL(scope ?? '.', scope === undefined ? script : href).href
  if (!href.startsWith(scopeUrl)) {
    throw startError(
      `the worker controls pages below ${scopeUrl}, but this page is ${href}. Put the worker file into the root of ` +
        'the served folder (npx understudy-api init), and set workerUrl.',
    )
  }
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const { active, waiting, installing, scope: taken } = registration
    const scripts = [active, waiting, installing].flatMap((worker) => worker?.scriptURL ?? [])
    const other = scripts.find((url) => url !== script.href)
    // The worker with the longest matching scope controls the page. A scope has one worker at most.
    if (other !== undefined && href.startsWith(taken) && taken.length >= scopeUrl.length) {
      throw startError(
        `the service worker ${other} controls ${taken}. Do not register it together with Understudy. Unregister it ` +
          'once with ' +
          `(await navigator.serviceWorker.getRegistration(${JSON.stringify(taken)})).unregister().`,
      )
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
export function claimPage(page: object = globalThis): () => void {
  if (Reflect.get(page, claimedMark)) {
    throw startError(
      'a simulator already runs on this page. Use that one, or call its stop() first.',
    )
  }
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}

const initHint = 'Run npx understudy-api init FOLDER with the folder that your page is served from.'

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
  if (!isSupportedMsw(mswVersion)) {
    throw startError(
      `expected msw ${supportedMswVersions}, got ${mswVersion}. Run npm install --save-dev msw@2.`,
    )
  }
  const fileVersion = parseWorkerVersion(await fetchWorkerFile(workerUrl))
  if (fileVersion === null)
    throw startError(`${workerUrl} is not a worker file of MSW. ${initHint}`)
  if (fileVersion !== mswVersion) {
    throw startError(
      `expected the worker file of msw ${mswVersion} at ${workerUrl}, got that of msw ${fileVersion}. ${initHint}`,
    )
  }
}

async function fetchWorkerFile(workerUrl: string): Promise<string> {
  const response = await fetch(workerUrl, { cache: 'no-cache' }).catch((error: Error) => error)
  if (response instanceof Response && response.ok) return response.text()
  const reason = response instanceof Response ? response.status : response.message
  throw startError(`MSW's worker file was not found at ${workerUrl} (${reason}). ${initHint}`)
}

export function startError(message: string): UsageError {
  return new UsageError(`Failed to start in the browser: ${message}`)
}
