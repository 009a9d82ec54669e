import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { isSupportedMsw, supportedMswVersions } from '../../browser/msw-version.ts'
import { UsageError } from '../../usage-error.ts'

/** A copy of MSW. */
export interface InstalledMsw {
  readonly version: string
  /** The text of its worker file. */
  readonly worker: string
}

/**
 * The MSW that a page uses whose files are in a folder: that of the folder's project, or else of the project that
 * the command was given in. Not our own: the bin has another copy inside.
 *
 * @throws UsageError where there is none, or one that this package does not work with
 */
export async function findMsw(folder: string): Promise<InstalledMsw> {
  const file = locatePackageJson('msw', folder) ?? locatePackageJson('msw', process.cwd())
  const cure = 'Run npm install --save-dev msw@2 there.'
  if (file === null)
    throw new UsageError(
      `Failed to find the worker file: expected msw in the project of ${resolve(folder)}, got none. ${cure}`,
    )
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string }
  if (!isSupportedMsw(version))
    throw new UsageError(
      `Failed to take the worker file of msw: expected ${supportedMswVersions}, got ${version} in ${dirname(file)}. ${cure}`,
    )
  const worker = await readFile(join(dirname(file), 'lib', 'mockServiceWorker.js'), 'utf8')
  return { version, worker }
}

/** The package.json of the package that code in a folder imports by a name; null where there is none. */
export function locatePackageJson(name: string, folder: string): string | null {
  try {
    return createRequire(join(resolve(folder), 'a-file.js')).resolve(`${name}/package.json`)
  } catch {
    return null
  }
}
