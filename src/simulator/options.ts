import type { RequestHandler } from 'msw'
import * as z from 'zod'
import type { UserHandlers } from '../adapters/user-handlers.ts'
import type { BaseUrl } from '../http/route.ts'
import { type Profile, profiles } from '../settings/profiles.ts'
import { type SettingOverrides, settingIssues } from '../settings/resolve.ts'
import { listOf, type OptionSchemas, option } from '../utils/options.ts'
import { withIssues } from '../utils/schema-issues.ts'
import { Clock, type ClockSetting } from '../world/clock/clock.ts'
import type { WorldSource } from '../world/load/load-world.ts'
import { type JournalLimits, journalSchema } from './journal/journal.ts'

/** Options of `simulator.fork`. The defaults are those of the original simulator. */
export interface ForkOptions {
  /** The seed of generated values, such as keys. */
  readonly seed?: number | undefined
  /** A full set of settings. */
  readonly profile?: Profile | undefined
  /** Settings that differ from the profile: `{ 'annotations.delete.status': 403 }`. */
  readonly settings?: SettingOverrides | undefined
  /** `'real'`, a time to freeze the clock at, or a mode with its time. */
  readonly clock?: ClockSetting | undefined
}

/** Options of `createSimulator`. The defaults are the seed of the world, the profile `documented` and the real time. */
export interface SimulatorOptions extends ForkOptions {
  /**
   * The name of a built-in world, a world as JSON, or a result of `simulator.snapshot()`, which takes no time at any size.
   * Defaults to `default`.
   */
  readonly world?: WorldSource | undefined
  /** The URL below which the API is served: an origin, a path, or both. Defaults to `*`, any origin. */
  readonly baseUrl?: string
  /** The size of the journal. Defaults to 1,000 requests and 16 MiB. */
  readonly journal?: JournalLimits
  /** The largest number of sandboxes at once. Defaults to 10,000. */
  readonly sandboxes?: number
  /** MSW handlers of your own. They run before those of the simulator. `simulator.use` adds more. */
  readonly handlers?: readonly RequestHandler[]
  /**
   * Called when the simulator itself throws, and the client receives a 500, when a listener throws, and when an edit of a
   * fault fails. An error of one of your `handlers` is not caught. Defaults to `console.error`.
   */
  readonly onError?: (error: unknown) => void
}

/** How requests reach a simulator. Its sandboxes have the same but for the limit, its forks but for the handlers. */
export interface SharedOptions {
  readonly base: BaseUrl
  readonly userHandlers: UserHandlers
  /** The largest number of sandboxes at once. Null in a sandbox */
  readonly limit: number | null
}

export const forkOptions: OptionSchemas<ForkOptions> = {
  seed: z.int(),
  profile: z.enum(profiles),
  settings: withIssues(z.unknown(), settingIssues),
  clock: option.checkedBy((clock) => new Clock(clock)),
}

export const simulatorOptions: OptionSchemas<SimulatorOptions> = {
  world: option.any,
  ...forkOptions,
  baseUrl: option.text,
  journal: journalSchema,
  sandboxes: option.count,
  handlers: option.any,
  onError: option.callback,
}

export const resetParts = ['rows', 'settings', 'clock', 'faults'] as const

/** A part of a simulator that `reset` restores. The rows include the keys. */
export type ResetPart = (typeof resetParts)[number]

export const resetSchema = z.strictObject({
  /** The parts to restore. By default all of them. */
  only: listOf(z.enum(resetParts)).readonly().exactOptional(),
})

/** Options of `simulator.reset`. */
export interface ResetOptions extends z.infer<typeof resetSchema> {}
