import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { FaultRequest } from '../sandbox/faults/fault-request.ts'
import type { SimulatorOptions } from '../sandbox/simulator-options.ts'
import type { Simulator } from '../simulator.ts'
import { isBuiltInWorld } from '../world/load/built-in-worlds.ts'
import { readWorld } from '../world/load/read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { CommandContext } from './command-context.ts'
import { startProgressBar } from './output/progress-bar.ts'

/** The flags of `serve` and `exec` that configure the simulator. */
export interface SimulatorFlags {
  readonly data: string
  readonly seed?: number
  readonly profile: Profile
  readonly policy: PolicyOverrides
  readonly fault: readonly FaultRequest[]
  readonly clock: NonNullable<SimulatorOptions['clock']>
  readonly token?: string
}

/** Converts flags to the options of a simulator. @throws UsageError for a world that cannot be read */
export async function toSimulatorOptions(
  { data, seed, profile, policy, clock }: SimulatorFlags,
  context: CommandContext,
): Promise<SimulatorOptions> {
  // Built-in worlds are not read from a file.
  const world = isBuiltInWorld(data) ? data : await readWorldWithProgress(data, context, seed)
  return { world, profile, policies: policy, clock, ...(seed !== undefined && { seed }) }
}

/** Adds the faults of the flags, and warns about those that can never apply. */
export function addFaultsFromFlags(
  { faults }: Simulator,
  { fault }: SimulatorFlags,
  context: CommandContext,
): void {
  for (const request of fault) {
    for (const { warning } of faults.add(request)) {
      if (warning !== null) context.printError(`--fault ${JSON.stringify(request)}: ${warning}`)
    }
  }
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
