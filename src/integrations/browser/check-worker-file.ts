import mswPackage from 'msw/package.json' with { type: 'json' }
import { UsageError } from '../../utils/usage-error.ts'
import { isSupportedMsw, parseWorkerVersion, supportedMswVersions } from './msw-version.ts'

/** The command that mends it. */
const initHint = 'Run npx understudy init FOLDER, with the folder that the page is served from.'

/**
 * Whether the worker file is there and fits the msw of the page.
 *
 * @param version of the msw of the page
 * @throws UsageError for an msw out of range, and for a worker file that is missing, something else, or of another
 *   version: their messages to each other may differ
 */
export async function checkWorkerFile(
  workerUrl: string,
  version: string = (mswPackage as { version: string }).version,
): Promise<void> {
  if (!isSupportedMsw(version))
    throw new UsageError(
      `Failed to start in the browser: expected msw ${supportedMswVersions}, got ${version}. Run npm install --save-dev msw@2.`,
    )
  const found = parseWorkerVersion(await fetchWorkerFile(workerUrl))
  if (found === null)
    throw new UsageError(
      `Failed to start in the browser: expected MSW's worker file at ${workerUrl}, got something else. ${initHint}`,
    )
  if (found !== version)
    throw new UsageError(
      `Failed to start in the browser: expected the worker file of msw ${version} at ${workerUrl}, got that of ` +
        `${found}. ${initHint}`,
    )
}

async function fetchWorkerFile(workerUrl: string): Promise<string> {
  const got = await fetch(workerUrl, { cache: 'no-cache' }).catch((error: Error) => error.message)
  if (typeof got !== 'string' && got.ok) return got.text()
  throw new UsageError(
    `Failed to start in the browser: expected MSW's worker file at ${workerUrl}, got ` +
      `${typeof got === 'string' ? got : got.status}. ${initHint}`,
  )
}
