import type { PolicyOverrides, Profile } from '../policies/settings.ts'

/** How a sandbox shall begin. */
export interface SandboxRequest {
  /** A snapshot, another sandbox or a fixture, by name; by default the world as the simulator began. */
  readonly from?: string
  /** What generated values follow from; by default that of the world. */
  readonly seed?: number
  readonly profile?: Profile
  readonly policies?: PolicyOverrides
  /** The real time, or a time at which the clock stands still; by default a clock like the simulator's. */
  readonly clock?: 'real' | string | Date
  /** Seconds until it ends by itself, by the simulator's clock; by default it does not. */
  readonly ttl_s?: number
  /** Values for its keys, by their label or their value in the world it begins with; else they are made. */
  readonly keys?: Readonly<Record<string, string>>
}
