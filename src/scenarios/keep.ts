import { resolvePointer } from './pointer.ts'
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
