import { unexpectedValue } from '../../utils/usage-error.ts'
import { isTimeInRange } from '../../world/clock/clock.ts'
import type { ForkOptions } from '../simulator-options.ts'
import { forkOptionNames } from '../simulator-options.ts'

/** Options of `simulator.sandboxes.create`. The defaults are those of the world named by `from`. */
export interface SandboxRequest extends ForkOptions {
  /**
   * The name of a fixture, a snapshot or another sandbox. Defaults to the world that the simulator started with.
   * Another sandbox provides its policies and its clock as well as its rows.
   */
  readonly from?: string
  /** Seconds until the sandbox ends, by the clock of the simulator. By default it does not end. */
  readonly ttl_s?: number
  /**
   * Values of its keys, by the label or the value that a key has in its world. The other values are generated. A
   * chosen value selects the sandbox even if the simulator has a key with this value.
   */
  readonly keys?: Readonly<Record<string, string>>
}

/** The names of the options of `simulator.sandboxes.create`. */
export const sandboxOptionNames: readonly string[] = ['from', ...forkOptionNames, 'ttl_s', 'keys']

/**
 * Calculates when a sandbox ends.
 *
 * @param seconds undefined for no expiry
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970, or null for no expiry
 * @throws UsageError for an invalid number of seconds
 */
export function expiryTime(seconds: number | undefined, now: number): number | null {
  if (seconds === undefined) return null
  const isPositive = Number.isFinite(seconds) && seconds > 0
  const expiry = now + seconds * 1000
  if (isPositive && isTimeInRange(expiry)) return expiry
  const expected = isPositive
    ? 'ttl_s to end before the year 10000'
    : 'ttl_s to be a positive number of seconds'
  throw unexpectedValue('create a sandbox', expected, seconds, undefined, 'ttl_s')
}
