const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Generates a random-looking text from a seed and a counter. The same arguments always give the same text. */
export function randomText(seed: number, count: number, length: number): string {
  let state = mixBits(mixBits(seed) ^ count)
  // Joined once at the end: appending letter by letter needs thirty times the memory.
  const letters: (string | undefined)[] = []
  while (letters.length < length) {
    state = mixBits(state)
    letters.push(alphabet[state % alphabet.length])
  }
  return letters.join('')
}

/**
 * Generates a random-looking number from 0 up to, but not including, 1. The same arguments always give the same number.
 */
export function randomFraction(seed: number, name: string, count: number): number {
  return mixBits(mixName(seed, name, count)) / 2 ** 32
}

function mixName(seed: number, name: string, count: number): number {
  let state = mixBits(seed)
  for (let index = 0; index < name.length; index++) state = mixBits(state ^ name.charCodeAt(index))
  return mixBits(state ^ count)
}

/** A sequence of random-looking numbers for each name and count, whatever other sequences were used before. */
export class SeededSequences {
  readonly #seed: number
  #current = { start: 0, drawn: 0 }

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Runs a function that draws from the start of a sequence, then goes on with the sequence in use before. */
  within<T>(name: string, count: number, run: () => T): T {
    const before = this.#current
    this.#current = { start: mixName(this.#seed, name, count), drawn: 0 }
    try {
      return run()
    } finally {
      this.#current = before
    }
  }

  /** From 0 up to, but not including, 1 */
  next(): number {
    const { start } = this.#current
    return mixBits(mixBits(start ^ this.#current.drawn++)) / 2 ** 32
  }
}

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
function mixBits(value: number): number {
  let bits = (value + 0x9e3779b9) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
