import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseWorkerVersion } from '../../browser/worker-version.ts'
import { UsageError } from '../../usage-error.ts'
import { findMsw } from './find-msw.ts'

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
