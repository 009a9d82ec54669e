/**
 * A key as it may be shown: the first four and the last four characters of a long one, of a short one what stands
 * before its first `_`.
 *
 * @example masked('phx_0123456789abcdef1234') // 'phx_…1234'
 * @example masked('phx_all') // 'phx_…'
 */
export function maskKey(key: string): string {
  if (key.length >= 16) {
    // By characters: half of one is no text.
    const characters = [...key]
    return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
  }
  return `${/^[a-z]{1,3}_/.exec(key)?.[0] ?? ''}…`
}
