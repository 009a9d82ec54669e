const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * A text that looks random and follows from a seed and a count, so that it is the same in each run and
 * different at each count.
 *
 * @example randomText(7, 1, 40).length // 40
 */
export function randomText(seed: number, count: number, length: number): string {
  let state = mixBits(mixBits(seed) ^ count)
  // Joined at the end: a text that grew letter by letter takes thirty times the memory.
  const text: (string | undefined)[] = []
  while (text.length < length) {
    state = mixBits(state)
    text.push(letters[state % letters.length])
  }
  return text.join('')
}

/** The finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
function mixBits(value: number): number {
  let bits = (value + 0x9e3779b9) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * A number from 0 to 1, without 1, that looks random and follows from a seed, a name and a count.
 *
 * @example randomShare(7, 'fault', 1) === randomShare(7, 'fault', 1) // true
 */
export function randomFraction(seed: number, name: string, count: number): number {
  let state = mixBits(seed)
  for (let index = 0; index < name.length; index++) state = mixBits(state ^ name.charCodeAt(index))
  return mixBits(mixBits(state ^ count)) / 2 ** 32
}
