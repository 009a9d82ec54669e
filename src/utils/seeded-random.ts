const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The same arguments always give the same random-looking text. */
export function randomText(seed: number, count: number, length: number): string {
  let state = mixBits(mixBits(seed) ^ count)
  const letters = Array.from({ length }, () => {
    state = mixBits(state)
    return alphabet[state % alphabet.length]
  })
  return letters.join('')
}

/** A random-looking number from 0 up to, but not including, 1: the same for the same arguments. */
export function randomFraction(seed: number, name: string, count: number): number {
  return mixBits(mixName(seed, name, count)) / 2 ** 32
}

function mixName(seed: number, name: string, count: number) {
  let state = mixBits(seed)
  for (let index = 0; index < name.length; index++) state = mixBits(state ^ name.charCodeAt(index))
  return mixBits(state ^ count)
}

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
export function mixBits(value: number): number {
  let bits = (value + 0x9e3779b9) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Derives a UUID from a number. @example uuidFromNumber(7) // '00000000-0000-4000-8000-000000000007' */
export function uuidFromNumber(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
