import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import type { FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { flagsOf } from './flags.ts'
import { namingFile, openFromFlags, toSimulatorOptions } from './from-flags.ts'
import { isStdin } from './input.ts'
import type { RequestLog } from './log.ts'
import { statsOf } from './named-files.ts'

export const serveFlags = flagsOf('serve')

export type ServeFlags = FlagValues<typeof serveFlags>

export interface ServedSource {
  readonly simulator: Simulator
  /** The title of the recording whose world and faults it has. Null without one */
  readonly recording: string | null
}

/** Opens the world that the flags name, or that of a recording, with the faults that its requests met. @throws UsageError */
export async function openServed(
  flags: ServeFlags,
  context: CommandContext,
): Promise<ServedSource> {
  const { recording: file, state, world } = flags
  if (file === undefined) return { simulator: await openFromFlags(flags, context), recording: null }
  if (state !== undefined) throw new UsageError('--state and --recording cannot be used together.')
  const { scenarioOfFile } = await import('../scenarios/library.ts')
  const { standInFor } = await import('../scenarios/import/stand-in.ts')
  const input = await context.read(file)
  const scenario = await scenarioOfFile(input.json(), input.name, { inlineWorld: true })
  if (scenario.world !== undefined && world !== 'default')
    throw new UsageError('--world has no effect, because the recording has its own world.')
  const options = await toSimulatorOptions(
    scenario.world === undefined ? flags : { ...flags, world: 'default' },
    context,
  )
  return { simulator: await standInFor(scenario, options), recording: scenario.title }
}

/** The file of a world, and its version before it is read. */
interface WatchedFile {
  readonly file: string
  readonly version: string
}

/** @throws UsageError if the flags name no file of a world */
export function fileToWatch({ world: file, recording }: ServeFlags): WatchedFile {
  const isPipe = isStdin(file) || statsOf(file)?.isFile() === false
  if (recording === undefined && !fixtureNames.includes(file) && !isPipe) {
    return { file, version: versionOf(file) }
  }
  throw new UsageError(
    '--watch reloads the file of a world: name one with --world, without --recording.',
  )
}

/** Differs after each save, also one that replaces the file by another. Empty for a file that does not exist. */
function versionOf(file: string): string {
  const stats = statsOf(file)
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
}

/** Reloads a file each time that it was written, one reload after another. @returns a function that ends the watch */
export function watchServed(
  simulator: Simulator,
  { seed }: ServeFlags,
  { file, version }: WatchedFile,
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
