import type { UserHandlers } from '../adapters/user-handlers.ts'
import { handlersOf } from '../server/middleware.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { isStdin } from '../utils/input.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { namingFile, type ServeFlags } from './from-flags.ts'
import { loadHandlers } from './handlers-module.ts'
import type { RequestLog } from './log.ts'

/** A file that is loaded when it changes, and its version before it is read. */
export interface WatchedFile {
  readonly file: string
  readonly version: string
  readonly has: 'world' | 'handlers'
}

/** @throws UsageError if the flags name no file to watch */
export function filesToWatch({ world, scenario, handlers }: ServeFlags): WatchedFile[] {
  const isPipe = isStdin(world) || statsOf(world)?.isFile() === false
  const isWatched = scenario === undefined && !fixtureNames.includes(world) && !isPipe
  const files: WatchedFile[] = [
    ...(isWatched ? [{ file: world, version: versionOf(world), has: 'world' } as const] : []),
    ...(handlers === undefined
      ? []
      : [{ file: handlers, version: versionOf(handlers), has: 'handlers' } as const]),
  ]
  if (files.length > 0) return files
  throw new UsageError(
    '--watch reloads the file of a world and the module of --handlers: name a file with --world, without --scenario, or with --handlers.',
  )
}

/** Differs after each save, also one that replaces the file by another. Empty for a file that does not exist. */
function versionOf(file: string): string {
  const stats = statsOf(file)
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
}

/** What reads the files of a server. */
interface Served {
  readonly simulator: Simulator
  /** The handlers of `--handlers` */
  readonly userHandlers: UserHandlers
  readonly seed: number | undefined
}

/** Reloads a file each time that it was written, one reload after another. @returns a function that ends the watch */
export function watchFile(
  served: Served,
  { file, version, has }: WatchedFile,
  log: RequestLog | null,
  context: CommandContext,
): () => Promise<void> {
  const reload = async (version: string): Promise<void> => {
    try {
      await (has === 'world' ? reloadWorld(served, file) : reloadHandlers(served, file, version))
      log?.reloaded(file)
    } catch (error) {
      const message = `${(error as Error).message}\nKeeping the previous ${has}; will retry on the next change.`
      if (log) log.reloadFailed(file, message)
      else context.printError(message)
    }
  }
  const ended = new AbortController()
  const watch = async (): Promise<void> => {
    let [loaded, last] = [version, version]
    while (await wait(watchInterval, abortOf(ended.signal))) {
      const now = versionOf(file)
      // A file that still changes is not saved yet.
      if (now !== loaded && now === last) {
        loaded = now
        await reload(now)
      }
      last = now
    }
  }
  const watching = watch()
  return () => {
    ended.abort()
    return watching
  }
}

/** How often a watched file is looked at, in milliseconds. Not every file system reports changes. */
const watchInterval = 100

function reloadWorld({ simulator, seed }: Served, file: string): Promise<void> {
  return namingFile('world', file, async () => simulator.replaceWorld(await readWorld(file, seed)))
}

async function reloadHandlers(
  { simulator, userHandlers }: Served,
  file: string,
  version: string,
): Promise<void> {
  userHandlers.current = handlersOf(simulator, await loadHandlers(file, version))
}
