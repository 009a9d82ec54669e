import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A file at a moment. */
export interface FileState {
  /** The path as the user wrote it */
  readonly file: string
  /** Differs if the content differs */
  readonly fingerprint: string
}

/** A file that is watched. */
export interface FileWatcher {
  close(): Promise<void>
}

/** Reads the state of a file. Every later change counts as a change. */
export function readFileState(file: string): FileState {
  return { file, fingerprint: fingerprintOf(file) }
}

/**
 * Runs a function each time that a file has changed, one run after another. Editors may save the file by replacing it.
 * A file that is being written is waited for, unless it changed before the watch started.
 *
 * @param onChange must not throw
 */
export async function watchFile(
  state: FileState,
  onChange: () => Promise<void>,
): Promise<FileWatcher> {
  const { watch } = await import('chokidar')
  const file = resolve(state.file)
  const folder = dirname(file)
  // Watches the folder, because the watch of a file can get lost when the file is replaced.
  const watcher = watch(folder, {
    depth: 0,
    ignored: (path) => path !== folder && path !== file,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  let isChanged = false
  let running = Promise.resolve()
  const run = (): void => {
    isChanged = true
    running = running.then(onChange)
  }
  watcher.on('all', (_event, path) => {
    if (path === file) run()
  })
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  // The file may have changed between its reading and its watch.
  if (!isChanged && fingerprintOf(file) !== state.fingerprint) run()
  return {
    async close() {
      await watcher.close()
      await running
    },
  }
}

function fingerprintOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true })
    return [ino, size, mtimeNs].join(' ')
  } catch {
    // Reading the file reports the error.
    return 'none'
  }
}
