import { readFileSync } from 'node:fs'
import type { PolicyOverrides } from '../policies/settings.ts'
import type { JournalLimits } from '../sandbox/journal/journal.ts'
import { parseNeighbours } from '../sandbox/neighbours.ts'
import type { Neighbours, SimulatorOptions } from '../sandbox/simulator-options.ts'
import { type ListenOptions, pickListenOptions } from '../server/listen.ts'
import { createSimulator, createSimulatorInSteps, type Simulator } from '../simulator.ts'
import { unreadableFileError } from '../utils/files.ts'
import { countIssues, issuesError } from '../utils/issues.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { suggestWord, UsageError } from '../utils/usage-error.ts'
import { isBuiltInWorld } from '../world/load/built-in-worlds.ts'
import { generateHint } from '../world/load/load-world.ts'
import { readWorld, readWorldToLoad } from '../world/load/read-world.ts'
import { worldLists } from '../world/table/tables.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { CommandContext, Output } from './command-context.ts'
import type { SimulatorFlags } from './flags.ts'
import { type ProgressBar, startProgressBar } from './output.ts'

/**
 * Creates the simulator that the flags describe, with a progress bar for a large file.
 *
 * @throws UsageError that names an invalid world file
 */
export function openSimulator(
  flags: SimulatorFlags,
  context: CommandContext,
  journal: JournalLimits = {},
): Promise<Simulator> {
  return namingFile('world', flags.data, () =>
    withProgress(context, async (progress) => {
      const options = await toSimulatorOptions(flags, progress, readWorldToLoad)
      return createWithProgress(
        { ...options, journal: { ...options.journal, ...journal } },
        progress,
      )
    }),
  )
}

/** @throws UsageError with every issue of the world */
export async function createWithProgress(
  options: SimulatorOptions,
  progress: LoadingProgress,
): Promise<Simulator> {
  const { world } = options
  if (typeof world !== 'object' || world === null) return createSimulator(options)
  return createSimulatorInSteps({ ...options, world }, progress.stepsOf(world))
}

/** Runs a function that loads a world, with a progress bar for a large file and for generated rows. */
export async function withProgress<T>(
  { stderr }: CommandContext,
  run: (progress: LoadingProgress) => Promise<T>,
): Promise<T> {
  const progress = await LoadingProgress.start(stderr)
  return run(progress).finally(progress.stop)
}

/**
 * Runs a function that reads and checks a file.
 *
 * @throws UsageError that names an invalid file, with every issue
 */
export async function namingFile<T>(
  kind: 'world' | 'scenario',
  file: string,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const { name, details = [] } = error as Partial<UsageError>
    // By name: in the package the factories are a bundle of their own, with a copy of the class.
    if (name !== 'UsageError' || details.length === 0) throw error
    const hint = kind === 'world' ? generateHint(details, file) : ''
    const heading = `${file} is not a valid ${kind}: ${countIssues(details)}${hint && `.${hint}`}`
    throw issuesError(heading, details)
  }
}

/** The settings of `--policies` and of `--policy`, which overrides them. */
export function policiesFromFlags({
  policies,
  policy,
}: Pick<SimulatorFlags, 'policies' | 'policy'>): PolicyOverrides {
  return { ...policies?.settings, ...policy }
}

/** Converts flags to the options of a simulator. @throws UsageError for a world that cannot be read */
export async function toSimulatorOptions(
  flags: SimulatorFlags,
  { onGenerated, onRead }: LoadingProgress,
  read: typeof readWorld = readWorld,
): Promise<SimulatorOptions> {
  const { data, seed, profile, clock, explain = false, redact, neighbours, memory } = flags
  const policies = policiesFromFlags(flags)
  // Built-in worlds are not read from a file.
  const world = isBuiltInWorld(data) ? data : await read(data, seed, onGenerated, onRead)
  return {
    ...{ world, profile, policies, clock, explain, journal: { redact } },
    ...(neighbours.length > 0 && { neighbours: neighbours.map(readNeighbours) }),
    ...(seed !== undefined && { seed }),
    ...(memory !== undefined && { memory }),
  }
}

/** Reads a file of `--neighbours`. @throws UsageError for a file that cannot be read or is invalid */
function readNeighbours(file: string): Neighbours | 'default' {
  if (file === 'default') return file
  const content = parseJsonText(readBytes(file, suggestWord(file, ['default'])).toString(), file)
  try {
    return parseNeighbours(content)
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`)
  }
}

function readBytes(file: string, hint = ''): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(unreadableFileError(file, error).message + hint)
  }
}

/**
 * Converts flags to the options of a server.
 *
 * @throws UsageError for a certificate that cannot be read, and for a flag without another one that it requires
 */
export function toListenOptions(
  flags: Pick<ListenOptions, 'forward' | 'forwardKeys'> & {
    readonly tlsCert?: string
    readonly tlsKey?: string
  },
): ListenOptions {
  const { tlsCert, tlsKey, forward, forwardKeys } = flags
  if (forwardKeys && forward === undefined) {
    throw new UsageError('--forward-keys requires --forward.')
  }
  const options = pickListenOptions(flags)
  if (tlsCert === undefined && tlsKey === undefined) return options
  if (tlsCert === undefined) throw new UsageError('--tls-key requires --tls-cert.')
  if (tlsKey === undefined) throw new UsageError('--tls-cert requires --tls-key.')
  return { ...options, tls: { cert: readBytes(tlsCert), key: readBytes(tlsKey) } }
}

/** Adds the faults of the flags. Warnings about faults and second actors are printed as errors from now on. */
export function addFaultsFromFlags(
  simulator: Simulator,
  { fault }: SimulatorFlags,
  context: Pick<CommandContext, 'printError'>,
): void {
  simulator.sandbox.onWarning((warning) => context.printError(warning))
  simulator.faults.initial = fault
  for (const request of fault) simulator.faults.add(request)
}

/** The number of steps that loading a row takes: at least 0.015 for sorted rows, and 0.026 for others */
const stepsPerRow = 0.02

/** In milliseconds. Files of some ten thousand rows load within this time. */
const delay = 500

/**
 * The progress bars of a world that is loaded. Reading its file is the first half of one bar, and loading its rows the
 * second. Generated rows have a bar of their own. The number of rows is not known at first, so bars count percents.
 */
export class LoadingProgress {
  readonly #loading: ProgressBar
  readonly #generating: ProgressBar
  #steps = 0

  private constructor(loading: ProgressBar, generating: ProgressBar) {
    this.#loading = loading
    this.#generating = generating
  }

  /** Nothing else may be written to the stream until the bars stop. They are shown on a terminal only. */
  static async start(stream: Output): Promise<LoadingProgress> {
    return new LoadingProgress(
      await startProgressBar('Loading rows', 100, stream, delay),
      await startProgressBar('Generating rows', 100, stream),
    )
  }

  readonly onRead = (bytes: number, of: number): void => {
    if (of > 0) this.#loading.update(Math.min(bytes / of, 1) * 50)
  }

  readonly onGenerated = (made: number, of: number): void => {
    this.#loading.stop()
    if (made < of) this.#generating.update((made / of) * 100)
    else this.#generating.stop()
  }

  /** Returns a function to call for each step of loading a world. */
  stepsOf(world: WorldJson): () => void {
    const rows = worldLists.reduce((sum, list) => sum + (world[list]?.length ?? 0), 0)
    return () => {
      this.#steps += 1
      this.#loading.update(50 + Math.min(this.#steps / (rows * stepsPerRow), 1) * 49)
    }
  }

  readonly stop = (): void => {
    this.#loading.stop()
    this.#generating.stop()
  }
}
