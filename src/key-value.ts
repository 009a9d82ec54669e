import { randomText } from './world/random.ts'

/** Whose keys are made. */
export interface KeySeed {
  readonly seed: number
  /** 0 for a simulator; sandboxes beside it are numbered from 1 on, so that each makes keys of its own. */
  readonly number: number
}

/**
 * The value of a key: what goes after `Bearer `. It follows from the seed, and is another one at each count.
 *
 * @example keyValue({ seed: 1, number: 0 }, 11) // 'phx_…', 44 characters
 */
export function createKeyValue({ seed, number }: KeySeed, count: number): string {
  return `phx_${randomText(number === 0 ? seed : seed ^ Math.imul(number, 0x9e3779b1), count, 40)}`
}

/** Whose keys are counted as they are made. */
export interface KeyCounter extends KeySeed {
  /** How many values were made. */
  issued: number
}

/**
 * The next value that is free, which counts as made.
 *
 * @param from how many to count as made before it
 */
export function nextFreeKeyValue(
  counter: KeyCounter,
  isFree: (value: string) => boolean,
  from: number = counter.issued,
): string {
  counter.issued = from
  for (;;) {
    counter.issued += 1
    const value = createKeyValue(counter, counter.issued)
    if (isFree(value)) return value
  }
}
