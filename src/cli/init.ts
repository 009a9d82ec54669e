import { existsSync } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import {
  isSupportedMsw,
  parseWorkerVersion,
  supportedMswVersions,
} from '../adapters/msw-version.ts'
import { UsageError } from '../utils/errors.ts'
import { failToWrite, statsOf, unreadableFileError } from '../utils/files.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { defineCommand } from './command.ts'

export default defineCommand({
  name: 'init',
  summary: "Copy or update MSW's worker file in the public folder of your project.",
  args: [['<folder>', 'folder that your pages are served from, such as public']],
  flags: { '--json': 'print the file, its version and its previous version as JSON' },
  help: '\nExample:\n  npx understudy-api init public',
  async run([folder]) {
    const copied = await copyWorkerFile(folder)
    return { json: copied, text: describeCopy(copied) }
  },
})

function describeCopy(copied: CopiedWorkerFile): string {
  const { file, version, previous_version } = copied
  if (previous_version === null) {
    return `Wrote ${file} (msw ${version}). A build for production copies it with the folder; only pages that start the simulator load it.`
  }
  if (previous_version === version) return `${file} is up to date (msw ${version}).`
  return `Updated ${file} from msw ${previous_version} to msw ${version}.`
}

interface CopiedWorkerFile {
  readonly file: string
  readonly version: string
  /** The previous version; null if there was no file */
  readonly previous_version: string | null
}

/** Copies MSW's worker file to a folder, or updates it. A file that is not MSW's, or was changed, stays. */
async function copyWorkerFile(folder: string): Promise<CopiedWorkerFile> {
  const stats = await stat(folder).catch(() => null)
  // A project whose pages need no other file does not have the folder yet.
  const isNew = stats === null && existsSync(join(dirname(resolve(folder)), 'package.json'))
  if (!isNew && !stats?.isDirectory()) {
    const problem = stats ? 'is not a folder' : 'does not exist'
    throw new UsageError(
      `${folder} ${problem}. Create the folder, or name the one that your pages are served from.`,
    )
  }
  const { version, worker } = await findMsw(folder)
  if (isNew) await mkdir(folder).catch(failToWrite(folder))
  const file = join(folder, 'mockServiceWorker.js')
  if (statsOf(file)?.isFile() === false) throw unreplaceableFileError(file, 'is no regular file')
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null
    throw unreadableFileError(file, error)
  })
  const previousVersion = text === null ? null : parseWorkerVersion(text)
  if (text !== null && previousVersion === null) {
    throw unreplaceableFileError(file, "is not MSW's worker file")
  }
  // Git can change line ends.
  if (previousVersion === version && text?.replace(/\r/g, '') !== worker.replace(/\r/g, '')) {
    throw unreplaceableFileError(file, `is the worker file of msw ${version} with changes`)
  }
  if (previousVersion !== version) {
    await writeNamedFile(file, worker, 0o666)
  }
  return { file, version, previous_version: previousVersion }
}

function unreplaceableFileError(file: string, reason: string): UsageError {
  return new UsageError(`${file} ${reason}, and was not replaced. Move it away and try again.`)
}

/**
 * Finds the MSW of the project that a folder belongs to, or else of the project in the working directory. The MSW that
 * is bundled with the command line may be another version.
 */
async function findMsw(folder: string): Promise<{ version: string; worker: string }> {
  const file = findPackageJson(folder) ?? findPackageJson(process.cwd())
  const advice = 'Run npm install --save-dev msw@2 there.'
  if (file === null) {
    throw new UsageError(`msw is not installed in the project of ${resolve(folder)}. ${advice}`)
  }
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string }
  if (!isSupportedMsw(version)) {
    throw new UsageError(
      `msw ${version} in ${dirname(file)} is not supported: expected ${supportedMswVersions}. ${advice}`,
    )
  }
  const worker = await readFile(join(dirname(file), 'lib', 'mockServiceWorker.js'), 'utf8')
  return { version, worker }
}

/** Returns the path of MSW's package.json as code in a folder resolves it; null if MSW is not installed. */
function findPackageJson(folder: string): string | null {
  try {
    return createRequire(join(resolve(folder), 'any-file.js')).resolve('msw/package.json')
  } catch {
    return null
  }
}
