import { readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import {
  isSupportedMsw,
  parseWorkerVersion,
  supportedMswVersions,
} from '../integrations/browser/msw-version.ts'
import { UsageError } from '../utils/usage-error.ts'
import type { CommandContext } from './command-context.ts'

/** Puts MSW's worker file where a page finds it. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description('Copy the worker file of the msw in use to a folder that is served, or update it.')
    .argument('<folder>', 'the root of what is served, such as public')
    .option('--json', 'print JSON: the file, its version, and what it was before')
    .addHelpText('after', '\nExample:\n  understudy init public')
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const put = await copyWorkerFile(folder)
      if (json) context.printJson(put)
      else context.print(initMessage(put))
    })
}

function initMessage({ file, version, was }: CopiedWorkerFile): string {
  if (was === null) return `Wrote ${file}, of msw ${version}.`
  if (was === version) return `${file} is already that of msw ${version}.`
  return `Updated ${file} from msw ${was} to msw ${version}.`
}

/** A worker file that is where it belongs. */
export interface CopiedWorkerFile {
  readonly file: string
  /** The version of MSW that it is from. */
  readonly version: string
  /** The version that it was from before; null where there was none. */
  readonly was: string | null
}

/**
 * Copies MSW's worker file into a folder, or updates the one that is there.
 *
 * @throws UsageError for a folder that is not there, and for a file of that name that is something else or was
 *   changed: it is left as it is
 */
export async function copyWorkerFile(folder: string): Promise<CopiedWorkerFile> {
  await checkFolder(folder)
  const { version, worker } = await findMsw(folder)
  const file = join(folder, 'mockServiceWorker.js')
  const found = await read(file)
  const was = found === null ? null : workerVersionIn(file, found)
  if (was === version && normalizeLineEnds(found) !== normalizeLineEnds(worker))
    throw unreplaceableFile(file, `one of msw ${version} that was changed`)
  if (was !== version) await write(file, worker)
  return { file, version, was }
}

/** A folder that is misspelt would be made, and the page would not find what is in it. */
async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory()) return
  throw new UsageError(
    `Failed to write the worker file: expected a folder, got ${folder}, which is ${found ? 'a file' : 'not there'}. ` +
      'Name the folder that your pages are served from, such as public, or make it first.',
  )
}

function workerVersionIn(file: string, text: string): string {
  const version = parseWorkerVersion(text)
  if (version === null) throw unreplaceableFile(file, 'another one')
  return version
}

function unreplaceableFile(file: string, got: string): UsageError {
  return new UsageError(
    `Failed to write ${file}: expected no file, or MSW's worker as it comes, got ${got}. ` +
      'It was left as it is: move it away, and try again.',
  )
}

/** The text of a file; null where there is none. */
async function read(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw fileAccessError(file, error)
  }
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error) => Promise.reject(fileAccessError(file, error)))
}

function fileAccessError(file: string, error: unknown): UsageError {
  const { code, message } = error as { code?: string; message: string }
  return new UsageError(
    `Failed to write ${file}: expected a file that may be read and written, got ${code ?? message}. ` +
      'Mend its permissions, or name another folder.',
  )
}

/** Git may have changed those. */
function normalizeLineEnds(text: string | null): string {
  return (text ?? '').replace(/\r/g, '')
}

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
