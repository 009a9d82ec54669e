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
    `the worker controls pages below ${scope}, but this page is ${page}. Open a page below it, or put the worker file ` +
    'into a folder above the page (npx understudy-api init), and name its URL: workerUrl.',

  scopeTooWide: (file: string, widest: string, scope: string) =>
    `the browser lets the worker of ${file} control pages below ${widest}, not ${scope}. Remove the option scope, or let ` +
    `the server send the header Service-Worker-Allowed: ${new URL(scope).pathname} with the file.`,

  otherWorker: (worker: string, scope: string) =>
    `the service worker ${worker} controls ${scope}. Do not register it together with Understudy. Unregister it ` +
    `once with (await navigator.serviceWorker.getRegistration(${JSON.stringify(scope)})).unregister().`,

  unsupportedMsw: (version: string) =>
    `expected msw ${supportedMswVersions}, got ${version}. Run npm install --save-dev msw@2.`,

  missingFile: (version: string, problems: readonly string[]) =>
    `expected the worker file of msw ${version}, got ${problems.join(', ')}. Run npx understudy-api init FOLDER with the ` +
    'folder that your page is served from. If the file has another URL, name it: workerUrl.',

  noRegistration: (error: Error) =>
    "the browser did not register MSW's worker. Allow service workers for this page: in Playwright, remove " +
    `serviceWorkers: 'block'. The reason: ${error.message.split('\n').at(-1)}`,

  noStorage: (problem: string) =>
    `this page cannot use sessionStorage (${problem}). Allow this site to store data in the settings of the ` +
    "browser, or pass persist: 'none' to start with a new world after each reload.",
}

type StartErrors = typeof startErrors

export function createStartError<Name extends keyof StartErrors>(
  name: Name,
  parts: Parameters<StartErrors[Name]>,
): UsageError {
  const say = startErrors[name] as (...parts: Parameters<StartErrors[Name]>) => string
  return new UsageError(`Failed to start in the browser: ${say(...parts)}`)
}
