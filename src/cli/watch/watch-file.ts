import { dirname, resolve } from 'node:path'

/** A file that is watched. */
export interface WatchedFile {
  close(): Promise<void>
}

/**
 * Runs something each time that a file was changed, one run after another. Editors that save by a new file of the
 * same name are understood; what is half written is waited for.
 *
 * @param onChange must not throw
 */
export async function watchFile(
  given: string,
  onChange: () => Promise<void>,
): Promise<WatchedFile> {
  const { watch } = await import('./chokidar.ts')
  const file = resolve(given)
  const folder = dirname(file)
  // By its folder: the watch of a file alone is lost at times when another one takes its place.
  const watcher = watch(folder, {
    depth: 0,
    ignored: (path) => path !== folder && path !== file,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  let running = Promise.resolve()
  watcher.on('all', (_event, path) => {
    if (path === file) running = running.then(onChange)
  })
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return {
    async close() {
      await watcher.close()
      await running
    },
  }
}
