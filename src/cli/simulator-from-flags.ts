import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { FaultRequest } from '../sandbox/faults/fault-request.ts'
import type { SimulatorOptions } from '../sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import { isBuiltInWorld } from '../world/load/built-in-worlds.ts'
import { readWorld } from '../world/load/read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import { startProgressBar } from './output/progress-bar.ts'

/** What decides how a simulator begins, as the flags of `serve` and `exec` say it. */
export interface SimulatorFlags {
  readonly data: string
  readonly seed?: number
  readonly profile: Profile
  readonly policy: PolicyOverrides
  readonly fault: readonly FaultRequest[]
  readonly clock: NonNullable<SimulatorOptions['clock']>
  readonly token?: string
}

/** A simulator as the flags want it. @throws UsageError for what it cannot begin with */
export async function createSimulatorFromFlags(flags: SimulatorFlags): Promise<Simulator> {
  return createSimulator(await toSimulatorOptions(flags))
}

/** How a simulator begins that the flags want. @throws UsageError for a world that cannot be read */
export async function toSimulatorOptions(flags: SimulatorFlags): Promise<SimulatorOptions> {
  const { data, seed, profile, policy, clock } = flags
  // Those that are part of the code need not be read and checked.
  const world = isBuiltInWorld(data) ? data : await readWorldWithProgress(data, seed)
  return { world, profile, policies: policy, clock, ...(seed !== undefined && { seed }) }
}

/** Adds the faults that the flags want, and tells of those that can never strike. */
export function addFaultsFromFlags({ faults }: Simulator, { fault }: SimulatorFlags): void {
  for (const request of fault) {
    for (const { warning } of faults.add(request)) {
      if (warning !== null) console.error(`--fault ${JSON.stringify(request)}: ${warning}`)
    }
  }
}

/** Reads a world, and shows how far the rows are that it leaves to the factories. @throws UsageError as `readWorld` does */
export async function readWorldWithProgress(fileOrName: string, seed?: number): Promise<WorldJson> {
  // How many there are is known when the first ones are made.
  const progress = await startProgressBar('Generating rows', 100)
  try {
    return await readWorld(fileOrName, seed, (made, of) => progress.update((made / of) * 100))
  } finally {
    progress.stop()
  }
}
