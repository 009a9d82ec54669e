import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseWorkerVersion } from '../../integrations/browser/msw-version.ts'
import { locatePackageJson } from '../init.ts'
import { type Check, fine } from './check.ts'
import { versionIn } from './packages.ts'

/** Where pages are mostly served from. */
const usualFolders = ['public', 'static', 'wwwroot', 'src/public', 'dist', 'build', '.']

/** Whether the worker files of the project in a folder are those of its MSW. */
export function checkWorker(folder: string): Check {
  const name = 'worker file'
  const files = foldersOf(folder).map((one) => join(one, 'mockServiceWorker.js'))
  const workers = files.filter((file) => existsSync(join(folder, file)))
  if (workers.length === 0) {
    return fine(name, 'none; pages need one, by understudy init FOLDER, and tests do not')
  }
  const msw = locatePackageJson('msw', folder)
  const wanted = msw === null ? null : versionIn(msw)
  const read = workers.map((file) => ({ file, version: versionOf(join(folder, file)) }))
  const old = read.filter(({ version }) => wanted !== null && version !== wanted)
  const found = read.map(({ file, version }) => `${file}, ${version ?? 'not of msw'}`).join('; ')
  if (old.length === 0) return fine(name, found)
  const cures = old.map(({ file, version }) =>
    version === null
      ? `Move ${file} away, then understudy init ${folderOf(file)}`
      : `understudy init ${folderOf(file)}`,
  )
  return {
    name,
    outcome: 'failed',
    found: `${found}; msw is ${wanted}`,
    advice: `${cures.join('; ')}.`,
  }
}

/** Where MSW was told to keep it, else the usual ones. */
function foldersOf(folder: string): readonly string[] {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return usualFolders
  try {
    const { msw } = JSON.parse(readFileSync(file, 'utf8')) as {
      msw?: { workerDirectory?: unknown }
    }
    const told = [msw?.workerDirectory ?? []].flat().filter((one) => typeof one === 'string')
    return [...new Set([...told, ...usualFolders])]
  } catch {
    // Of a package.json that cannot be read npm tells more than we could.
    return usualFolders
  }
}

function folderOf(file: string): string {
  return file.replace(/\/?mockServiceWorker\.js$/, '') || '.'
}

function versionOf(file: string): string | null {
  return parseWorkerVersion(readFileSync(file, 'utf8'))
}
