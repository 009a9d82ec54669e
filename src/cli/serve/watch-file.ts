import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A file as it was at a moment. */
export interface FileState {
  /** As it was given */
  readonly file: string
  /** What is another one for another text */
  readonly fingerprint: string
}

/** A file that is watched. */
export interface FileWatcher {
  close(): Promise<void>
}

/** Looks at a file, before it is read: whatever changes in it from then on is a change. */
export function readFileState(file: string): FileState {
  return { file, fingerprint: fingerprintOf(file) }
}

/**
 * Runs something each time that a file was changed, one run after another. Editors that save by a new file of the
 * same name are understood; what is half written is waited for, but in what changed before it was watched.
 *
 * @param onChange must not throw
 */
export async function watchFile(
  seen: FileState,
  onChange: () => Promise<void>,
): Promise<FileWatcher> {
  const { watch } = await import('chokidar')
  const file = resolve(seen.file)
  const folder = dirname(file)
  // By its folder: the watch of a file alone is lost at times when another one takes its place.
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
  // It may have been changed after it was read, and before it was watched.
  if (!isChanged && fingerprintOf(file) !== seen.fingerprint) run()
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
    // Whoever reads it says what is wrong with it.
    return 'none'
  }
}
