import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { isStdin } from '../utils/input.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { namingFile, type ServeFlags } from './from-flags.ts'
import type { RequestLog } from './log.ts'

/** The file of a world that is loaded when it changes, and its version before it is read. */
interface WatchedWorld {
  readonly file: string
  readonly version: string
}

/** @throws UsageError if the flags name no file to watch */
export function worldToWatch({ world, scenario }: ServeFlags): WatchedWorld {
  const isPipe = isStdin(world) || statsOf(world)?.isFile() === false
  if (scenario === undefined && !fixtureNames.includes(world) && !isPipe)
    return { file: world, version: versionOf(world) }
  throw new UsageError(
    '--watch reloads the file of a world: name one with --world, without --scenario.',
  )
}

/** Differs after each save, also one that replaces the file by another. Empty for a file that does not exist. */
function versionOf(file: string): string {
  const stats = statsOf(file)
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
}

/** Reloads a world each time that its file was written, one reload after another. @returns a function that ends the watch */
export function watchWorld(
  simulator: Simulator,
  { file, version }: WatchedWorld,
  seed: number | undefined,
  log: RequestLog | null,
  context: CommandContext,
): () => Promise<void> {
  const reload = async (): Promise<void> => {
    try {
      await namingFile('world', file, async () =>
        simulator.replaceWorld(await readWorld(file, seed)),
      )
      log?.reloaded(file)
    } catch (error) {
      const message = `${(error as Error).message}\nKeeping the previous world; will retry on the next change.`
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
        await reload()
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
