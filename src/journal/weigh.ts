/**
 * About how much memory a value of JSON holds, in bytes. A text counts two for each character, which is what one
 * with any sign beyond Latin-1 takes.
 */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const name in value) bytes += 8 + jsonSize((value as Record<string, unknown>)[name])
  return bytes
}
