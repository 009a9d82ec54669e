import type { ChangeStep } from '../scenarios/scenario.ts'
import { references } from '../world/references.ts'
import { worldLists } from '../world/world-lists.ts'
import type { PlacedStep } from './edit-steps.ts'

type Lists = Readonly<Record<string, readonly unknown[]>>

/** Adds a step to those before it: as a part of the last one, where that says the same at the same moment. */
export function appendStep(steps: PlacedStep[], next: PlacedStep): void {
  const last = steps.at(-1)
  const step = last?.position === next.position ? joinSteps(last.step, next.step) : null
  if (step) steps[steps.length - 1] = { position: next.position, step }
  else steps.push(next)
}

/** Two changes as one; null where they are none. */
function joinSteps(one: ChangeStep, other: ChangeStep): ChangeStep | null {
  if ('clock' in one && 'clock' in other) return other
  for (const word of ['rows', 'update', 'delete'] as const) {
    const [first, second] = [listsIn(one, word), listsIn(other, word)]
    if (!first || !second) continue
    const [[list, rows] = ['', []]] = Object.entries(second)
    const names = Object.keys(first)
    if (names.includes(list) && names.at(-1) !== list) return null
    if (word === 'rows' && (isBefore(list, names) || refersToRowOf(list, rows[0], first)))
      return null
    return { [word]: { ...first, [list]: [...(first[list] ?? []), ...rows] } } as never
  }
  return null
}

function listsIn(step: ChangeStep, word: string): Lists | null {
  const value = (step as unknown as Record<string, unknown>)[word]
  return typeof value === 'object' ? (value as Lists) : null
}

/** Rows are added list by list, in the order of a world. */
function isBefore(list: string, names: readonly string[]): boolean {
  const at = (name: string): number => (worldLists as readonly string[]).indexOf(name)
  return at(list) < at(names.at(-1) ?? list)
}

/** Whether a row names one of the same step, whose id nobody knows before that is done. */
function refersToRowOf(list: string, row: unknown, step: Lists): boolean {
  return Object.entries(references[list as keyof typeof references] ?? {}).some(
    ([field, target]) => {
      const ids = (step[target] ?? []).map((one) => (one as { id?: unknown }).id)
      return [(row as Record<string, unknown>)[field]].flat().some((id) => ids.includes(id))
    },
  )
}
