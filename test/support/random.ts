/** Numbers that look random and are the same in each run (mulberry32). */
export interface Random {
  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number
  pick<T>(choices: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed
  const below = (end: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }
  return { below, pick: (choices) => choices[below(choices.length)] as never }
}
