import { LimitError, UsageError, unexpectedValue } from '../usage-error.ts'
import { isTimeInRange } from '../world/time.ts'

/** @throws LimitError when there are as many sandboxes as there may be; UsageError where there is never one */
export function checkLimit(count: number, limit: number): void {
  if (count < limit) return
  if (limit > 0) {
    throw new LimitError(
      `Failed to create a sandbox: expected at most ${limit} at once. Delete some, or let them end by ttl_s.`,
    )
  }
  throw new UsageError(
    'Failed to create a sandbox: expected a simulator, got a sandbox, which has none of its own. ' +
      'Create it beside this one: simulator.sandboxes.create({ from: id }).',
  )
}

/**
 * When a sandbox ends by itself.
 *
 * @param seconds undefined for never
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970; null for never
 * @throws UsageError for what is no length of time, or leads out of the years 1 to 9999
 */
export function expiryTime(seconds: number | undefined, now: number): number | null {
  if (seconds === undefined) return null
  const isLength = Number.isFinite(seconds) && seconds > 0
  const expiry = now + seconds * 1000
  if (isLength && isTimeInRange(expiry)) return expiry
  const expected = isLength
    ? 'ttl_s to end in the years 1 to 9999'
    : 'ttl_s to be a number of seconds above 0'
  throw unexpectedValue('create a sandbox', expected, seconds, undefined, 'ttl_s')
}
