/**
 * The value that a JSON Pointer (RFC 6901) leads to; undefined where it leads nowhere.
 *
 * @example valueAt({ results: [{ id: 4 }] }, '/results/0/id') // 4
 */
export function resolvePointer(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((inner, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined
  }, value)
}
