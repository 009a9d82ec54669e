import {
  overridePolicies,
  type PolicyOverrides,
  type Profile,
  resolvePolicies,
} from '../../policies/settings.ts'
import { unexpectedValue, withFieldPrefix } from '../../utils/usage-error.ts'
import { Clock } from '../../world/clock/clock.ts'
import type { ClockSetting } from '../../world/clock/clock-setting.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import type { Sandbox } from '../sandbox.ts'

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

/** What a sandbox begins with. */
export interface SandboxTemplate {
  /** Rows that are its own from here on. */
  readonly loaded: LoadedWorld
  /** The one that it is like in all that was not asked for. */
  readonly template: Sandbox
}

/**
 * A sandbox like another one, but for what is asked for. Its keys are still those of its world.
 *
 * @throws UsageError for what it cannot begin with; its field is that of the request
 */
export function deriveSandbox(
  { loaded, template }: SandboxTemplate,
  { seed, profile, policies = {}, clock }: Omit<SandboxRequest, 'from' | 'keys' | 'ttl_s'>,
): Sandbox {
  const settings =
    profile === undefined ? template.policyTracker.untracked : resolvePolicies(profile)
  return template.like({
    loaded: withSeed(loaded, seed),
    settings: withFieldPrefix('policies', () => overridePolicies(settings, policies)),
    clock:
      clock === undefined
        ? template.clock.fork()
        : withFieldPrefix('clock', () => new Clock(clock)),
  })
}

/** A world with another seed. @throws UsageError for what is none */
export function withSeed(loaded: LoadedWorld, seed: number = loaded.seed): LoadedWorld {
  if (Number.isInteger(seed)) return { ...loaded, seed }
  throw unexpectedValue('read the seed', 'a whole number', seed, undefined, 'seed')
}

/** What a fork can be asked for. */
export const forkFields: readonly (keyof SandboxRequest)[] = [
  'seed',
  'profile',
  'policies',
  'clock',
]

/** What a sandbox can be asked for. */
export const sandboxFields: readonly (keyof SandboxRequest)[] = [
  'from',
  ...forkFields,
  'ttl_s',
  'keys',
]
