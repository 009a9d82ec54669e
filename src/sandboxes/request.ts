import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { ClockSetting } from '../world/clock-setting.ts'

/** How a sandbox shall begin. */
export interface SandboxRequest {
  /**
   * A fixture, a snapshot or another sandbox, by name; by default the world as the simulator began. Another
   * sandbox gives its policies and its clock as well as its rows.
   */
  readonly from?: string
  /** What generated values follow from; by default that of the world. */
  readonly seed?: number
  readonly profile?: Profile
  /** Policies that differ from the profile, or from those it would begin with. */
  readonly policies?: PolicyOverrides
  /** The real time, a time to stand still at, or a mode; by default a clock like the simulator's. */
  readonly clock?: ClockSetting
  /** Seconds until it ends by itself, by the simulator's clock; by default it does not. */
  readonly ttl_s?: number
  /**
   * Values for its keys, by their label or their value in the world it begins with; else they are made. A
   * value that the simulator itself has leads to the sandbox while there is one.
   */
  readonly keys?: Readonly<Record<string, string>>
}
