import type { StepDifference } from './result.ts'

/** Saves values of an answer. @returns those that it does not have */
export function saveValues(
  save: Readonly<Record<string, string>>,
  from: unknown,
  saved: Map<string, unknown>,
): StepDifference[] {
  return Object.entries(save).flatMap(([name, pointer]) => {
    const value = resolvePointer(from, pointer)
    if (value === undefined) {
      const where = `save.${name}`
      return [
        {
          path: ['save', name],
          where,
          expected: `a value at ${pointer}`,
          got: 'nothing',
          inWords: true,
        },
      ]
    }
    saved.set(name, value)
    return []
  })
}

/**
 * The value that a JSON Pointer (RFC 6901) leads to; undefined where it leads nowhere.
 *
 * @example valueAt({ results: [{ id: 4 }] }, '/results/0/id') // 4
 */
function resolvePointer(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((inner, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined
  }, value)
}
