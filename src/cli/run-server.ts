import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LiveMistakes } from '../mistakes/follow-mistakes.ts'
import { isFailing, listMistakes } from '../report/mistake-lines.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { listen } from '../server/listen.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { reportToRun } from '../sweep/swept-run.ts'
import { UsageError, unknownWord } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { isStdin } from '../utils/input.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import type { FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import type { flagsOf } from './flags.ts'
import {
  namingFile,
  openFromFlags,
  readScenarioInput,
  toListenOptions,
  toSimulatorOptions,
} from './from-flags.ts'
import { RequestLog } from './log.ts'
import { type StartedServer, startReport, startText } from './start-text.ts'

type ServeFlags = FlagValues<ReturnType<typeof flagsOf<'serve'>>>

/** Serves until the user interrupts. @param use gets the URL of the server, which ends when it is done */
export async function serve(
  flags: ServeFlags,
  context: CommandContext,
  use?: (url: string) => Promise<void>,
): Promise<number> {
  const { quiet, mistakes: mode, state } = flags
  const watched = flags.watch ? worldToWatch(flags) : null
  const options = await toListenOptions(flags)
  const log = quiet ? null : new RequestLog(context)
  const { simulator, scenario } = await openServed(flags, context)
  reportToRun(simulator)
  simulator.faults.addInitial(flags.fault)
  log?.follow(simulator)
  const isSilent = mode === 'off' || (!log && mode === 'print')
  const mistakes = isSilent ? null : new LiveMistakes(simulator, (found) => log?.liveMistake(found))
  const onError = (error: unknown) => context.printError((error as Error).message)
  const persistence = state ? await persistInFile(simulator, state, onError) : null
  const server = await listen(simulator, { ...options, ...log?.listeners }).catch(async (error) => {
    await persistence?.close()
    throw error
  })
  const stopWatching = watched && watchWorld(simulator, watched, flags.seed, log, context)
  const interrupted = context.interrupted()
  const { url } = server
  const resumed = persistence?.resumed ?? false
  const started = { ...flags, simulator, scenario, url, resumed, watched: watched?.file }
  if (flags.json) context.printJson(startReport(started), 0)
  else context.print(quiet ? url : startText(started, context.paint))
  const files = [flags.world, flags.scenario, state]
  if (files.some((file = '') => Number(statsOf(file)?.size) > largeFile)) freeMemory()
  let isSaved = true
  try {
    await Promise.race([interrupted, ...(use ? [use(url)] : [])])
  } finally {
    await stopWatching?.()
    await server.close({ timeout: 5_000 })
    if (persistence) isSaved = await persistence.close()
  }
  const breaches = (mistakes?.finish() ?? []).filter(isFailing)
  log?.flush()
  if (!isSaved) throw new Error(`The last changes were not saved to ${state}.`)
  if (mode !== 'fail' || breaches.length === 0) return 0
  context.printError(listMistakes(breaches).join('\n'))
  return 1
}

/** In bytes */
const largeFile = 2 ** 20

/** Frees the text that a world was read from, soon: it would stay until the heap has grown by as much. */
function freeMemory() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => unknown
  collect({ execution: 'async' })
}

/** Opens the world that the flags name, or that of a scenario, with the faults that its requests met. @throws UsageError */
async function openServed(
  flags: ServeFlags,
  context: CommandContext,
): Promise<Pick<StartedServer, 'simulator' | 'scenario'>> {
  const { scenario: name, world, key } = flags
  if (name === undefined) {
    if (key) throw new UsageError('--key requires --scenario.')
    return { simulator: await openFromFlags(flags, context), scenario: null }
  }
  const { scenarioOfFile } = await import('../scenarios/library.ts')
  const { createScenarioSimulator } = await import('../import/scenario-simulator.ts')
  const input = await readScenarioInput(name, context)
  const scenario = await scenarioOfFile(input.json(), input.name, { inlineWorld: true })
  if (scenario.world !== undefined && world !== 'default')
    throw new UsageError('--world has no effect, because the scenario has its own world.')
  const options = await toSimulatorOptions(
    scenario.world === undefined ? flags : { ...flags, world: 'default' },
    context,
  )
  const simulator = await createScenarioSimulator(withKeyValues(scenario, key), options)
  return { simulator, scenario: scenario.title }
}

/** Gives keys of a scenario the values that its recording hides. @throws UsageError for a label that it lacks */
function withKeyValues(scenario: Scenario, { key, keys = {} }: KeyValues = {}) {
  const { world } = scenario
  const rows = typeof world === 'object' ? (world.keys ?? []) : []
  const labels = rows.map(({ label, value = '' }) => label ?? value)
  for (const label of key === undefined ? Object.keys(keys) : [key])
    if (!labels.includes(label)) throw unknownWord('read --key', labels, label)
  const valued = rows.map((row, at) => ({ ...row, value: keys[labels[at] ?? ''] ?? row.value }))
  return typeof world === 'object' ? { ...scenario, world: { ...world, keys: valued } } : scenario
}

/** The file of a world that is loaded when it changes, and its version before it is read. */
interface WatchedWorld {
  readonly file: string
  readonly version: string
}

/** @throws UsageError if the flags name no file to watch */
function worldToWatch({ world, scenario }: ServeFlags): WatchedWorld {
  const isPipe = isStdin(world) || statsOf(world)?.isFile() === false
  if (scenario === undefined && !fixtureNames.includes(world) && !isPipe)
    return { file: world, version: versionOf(world) }
  throw new UsageError(
    '--watch reloads the file of a world: name one with --world, without --scenario.',
  )
}

/** Differs after each save, also one that replaces the file by another. Empty for a file that does not exist. */
function versionOf(file: string) {
  const stats = statsOf(file)
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
}

/** Reloads a world each time that its file was written, one reload after another. @returns a function that ends the watch */
function watchWorld(
  simulator: Simulator,
  { file, version }: WatchedWorld,
  seed: number | undefined,
  log: RequestLog | null,
  context: CommandContext,
) {
  const reload = async () => {
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
  const watch = async () => {
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
