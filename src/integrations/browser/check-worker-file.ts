import mswPackage from 'msw/package.json' with { type: 'json' }
import { UsageError } from '../../utils/usage-error.ts'
import { isSupportedMsw, parseWorkerVersion, supportedMswVersions } from './msw-version.ts'

const initHint = 'Run npx understudy init FOLDER with the folder that your page is served from.'

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
  if (!isSupportedMsw(mswVersion))
    throw startError(
      `expected msw ${supportedMswVersions}, got ${mswVersion}. Run npm install --save-dev msw@2.`,
    )
  const fileVersion = parseWorkerVersion(await fetchWorkerFile(workerUrl))
  if (fileVersion === null)
    throw startError(`${workerUrl} is not a worker file of MSW. ${initHint}`)
  if (fileVersion !== mswVersion)
    throw startError(
      `expected the worker file of msw ${mswVersion} at ${workerUrl}, got that of msw ${fileVersion}. ${initHint}`,
    )
}

async function fetchWorkerFile(workerUrl: string): Promise<string> {
  const response = await fetch(workerUrl, { cache: 'no-cache' }).catch((error: Error) => error)
  if (response instanceof Response && response.ok) return response.text()
  const reason = response instanceof Response ? response.status : response.message
  throw startError(`MSW's worker file was not found at ${workerUrl} (${reason}). ${initHint}`)
}

function startError(message: string): UsageError {
  return new UsageError(`Failed to start in the browser: ${message}`)
}
