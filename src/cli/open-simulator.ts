import type { SimulatorOptions } from '../sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import { UsageError } from '../utils/usage-error.ts'
import { isBuiltInWorld } from '../world/load/built-in-worlds.ts'
import { countIssues, generateHint } from '../world/load/load-world.ts'
import { readWorld } from '../world/load/read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { CommandContext } from './command-context.ts'
import type { SimulatorFlags } from './flags.ts'
import { startProgressBar } from './output.ts'
import { readNeighbours } from './serve/ingress.ts'

/** Creates the simulator that the flags describe. @throws UsageError that names an invalid world file */
export function openSimulator(flags: SimulatorFlags, context: CommandContext): Promise<Simulator> {
  return namingFile('world', flags.data, async () =>
    createSimulator(await toSimulatorOptions(flags, context)),
  )
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
    const { name, issues = [] } = error as Partial<UsageError>
    // By name: in the package the factories are a bundle of their own, with a copy of the class.
    if (name !== 'UsageError' || issues.length === 0) throw error
    const hint = generateHint(issues, file)
    const heading = `${file} is not a valid ${kind}: ${countIssues(issues)}${hint && `.${hint}`}`
    throw new UsageError(heading, issues)
  }
}
/** Converts flags to the options of a simulator. @throws UsageError for a world that cannot be read */
export async function toSimulatorOptions(
  { data, seed, profile, policy, clock, explain = false, redact, neighbours }: SimulatorFlags,
  context: CommandContext,
): Promise<SimulatorOptions> {
  // Built-in worlds are not read from a file.
  const world = isBuiltInWorld(data) ? data : await readWorldWithProgress(data, context, seed)
  const journal = { redact }
  const options = { world, profile, policies: policy, clock, explain, journal }
  return { ...options, ...readNeighbours(neighbours), ...(seed !== undefined && { seed }) }
}

/** Reads a world, with a progress bar for generated rows. @throws UsageError as `readWorld` does */
export async function readWorldWithProgress(
  fileOrName: string,
  { stderr }: CommandContext,
  seed?: number,
): Promise<WorldJson> {
  // The number of rows is not known yet, so the bar counts percents.
  const progress = await startProgressBar('Generating rows', 100, stderr)
  const onProgress = (made: number, of: number): void => progress.update((made / of) * 100)
  return readWorld(fileOrName, seed, onProgress).finally(progress.stop)
}
