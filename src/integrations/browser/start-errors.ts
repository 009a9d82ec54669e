import { supportedMswVersions } from '../../adapters/msw-version.ts'
import { UsageError } from '../../utils/errors.ts'

/** What stops a start. A page loads the sentences only if something does. */
export const startErrors = {
  twice: () =>
    'a simulator already runs on this page. Use that one, or call its stop() first, as in ' +
    'import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',

  noWorkers: (origin: string) =>
    `${origin} has no service workers. They need https: or http://localhost, and in some browsers no private ` +
    'window. Open the page there, or run a server: npx understudy-api serve.',

  deniedWorkers: ({ name, message }: Error) =>
    `the browser denies service workers to this page (${name}: ${message}). Allow this site to store data in the ` +
    'settings of the browser, or run a server: npx understudy-api serve.',

  outOfScope: (scope: string, page: string) =>
    `the worker controls pages below ${scope}, but this page is ${page}. Put the worker file into the root of ` +
    'the served folder (npx understudy-api init), and set workerUrl.',

  otherWorker: (worker: string, scope: string) =>
    `the service worker ${worker} controls ${scope}. Do not register it together with Understudy. Unregister it ` +
    `once with (await navigator.serviceWorker.getRegistration(${JSON.stringify(scope)})).unregister().`,

  unsupportedMsw: (version: string) =>
    `expected msw ${supportedMswVersions}, got ${version}. Run npm install --save-dev msw@2.`,

  foreignFile: (file: string) => `${file} is not a worker file of MSW. ${initHint}`,

  otherVersion: (page: string, file: string, worker: string) =>
    `expected the worker file of msw ${page} at ${file}, got that of msw ${worker}. ${initHint}`,

  missingFile: (file: string, reason: number | string) =>
    `MSW's worker file was not found at ${file} (${reason}). ${initHint}`,

  noRegistration: (error: Error) =>
    "the browser did not register MSW's worker. Allow service workers for this page: in Playwright, remove " +
    `serviceWorkers: 'block'. The reason: ${error.message.split('\n').at(-1)}`,

  noStorage: (problem: string) =>
    `this page cannot use sessionStorage (${problem}). Allow this site to store data in the settings of the ` +
    "browser, or pass persist: 'none' to start with a new world after each reload.",
}

const initHint = 'Run npx understudy-api init FOLDER with the folder that your page is served from.'

type StartErrors = typeof startErrors

export function createStartError<Name extends keyof StartErrors>(
  name: Name,
  parts: Parameters<StartErrors[Name]>,
): UsageError {
  const say = startErrors[name] as (...parts: Parameters<StartErrors[Name]>) => string
  return new UsageError(`Failed to start in the browser: ${say(...parts)}`)
}
