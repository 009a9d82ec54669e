import { randomText } from './world/random.ts'

/** Whose keys are made. */
export interface KeyMaker {
  readonly seed: number
  /** 0 for a simulator; sandboxes beside it are numbered from 1 on, so that each makes keys of its own. */
  readonly number: number
}

/**
 * The value of a key: what goes after `Bearer `. It follows from the seed, and is another one at each count.
 *
 * @example keyValue({ seed: 1, number: 0 }, 11) // 'phx_…', 44 characters
 */
export function keyValue({ seed, number }: KeyMaker, count: number): string {
  return `phx_${randomText(number === 0 ? seed : seed ^ Math.imul(number, 0x9e3779b1), count, 40)}`
}
