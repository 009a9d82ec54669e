import type { FaultRequest } from '../faults/request.ts'
import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import type { SimulatorOptions } from '../simulator-options.ts'

import { isBuiltInWorld } from '../world/built-in.ts'
import { readWorldWithProgress } from './read-given-world.ts'

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
