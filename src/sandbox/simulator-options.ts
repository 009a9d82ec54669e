import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { ClockSetting } from '../world/clock/clock-setting.ts'
import type { BuiltInWorld } from '../world/load/build-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { JournalLimits } from './journal/journal.ts'

/** How a simulator begins. */
export interface SimulatorOptions {
  /** A built-in world by name, or a world as JSON; `default` when missing. */
  readonly world?: BuiltInWorld | WorldJson
  /** What generated values follow from, such as the keys that are issued; by default the world's own seed. */
  readonly seed?: number
  /** A full set of policies; `documented` when missing. */
  readonly profile?: Profile
  /** Policies that differ from the profile: `{ 'annotations.delete.status': 403 }`. */
  readonly policies?: PolicyOverrides
  /** Where the API begins: an origin, a path, both; `*` (the default) for any origin. */
  readonly baseUrl?: string
  /** The real time (the default), a time at which the clock stands still, or a mode with its time. */
  readonly clock?: ClockSetting
  /** How much the journal keeps: by default 1,000 requests and 16 MiB. */
  readonly journal?: JournalLimits
  /** The most sandboxes there can be at once; by default 10,000. */
  readonly sandboxes?: number
  /** Told of exceptions inside the simulator, which callers see as a 500; by default console.error. */
  readonly onError?: (error: unknown) => void
}

const fields: Readonly<Record<keyof SimulatorOptions, true>> = {
  world: true,
  seed: true,
  profile: true,
  policies: true,
  baseUrl: true,
  clock: true,
  journal: true,
  sandboxes: true,
  onError: true,
}

/** The names of the options: in JavaScript nobody else tells that one is misspelt. */
export const optionNames: readonly string[] = Object.keys(fields)
