import type { FaultDelay } from './rule.ts'

/** How far the 95th percentile of the normal distribution is from its middle. */
const p95OfNormal = 1.6448536269514722

/** Timers take no more. */
const maxTimeout = 2 ** 31 - 1

/**
 * A delay drawn by dice.
 *
 * @param dice two numbers from 0 to 1
 * @returns milliseconds
 */
export function drawDelay(delay: FaultDelay, [first, second]: readonly [number, number]): number {
  if (typeof delay === 'number') return delay
  if ('min' in delay) return delay.min + (delay.max - delay.min) * first
  const { median, p95 } = delay
  const sigma = Math.log(p95 / median) / p95OfNormal
  // Box and Muller: two even numbers make a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  return Math.min(median * Math.exp(sigma * normal), maxTimeout)
}
