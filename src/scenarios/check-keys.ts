import { isRequestStep, type Step } from './scenario.ts'

/**
 * Labels that no key has, neither from the beginning nor by what is added before.
 *
 * @param isThere whether the world begins with a key of a label
 */
export function findKeyIssues(
  steps: readonly Step[],
  isThere: (label: string) => boolean,
): string[] {
  const added = new Set<string>()
  return steps.flatMap((step, index) => {
    for (const label of labelsAddedBy(step)) added.add(label)
    if (!isRequestStep(step) || step.as === undefined) return []
    if (isThere(step.as) || added.has(step.as)) return []
    const expected = 'the label of a key of the world'
    return [`steps[${index}].as: expected ${expected}, got ${JSON.stringify(step.as)}`]
  })
}

/** The labels of keys that a change adds. */
function labelsAddedBy(step: Step): string[] {
  const keys = 'rows' in step ? step.rows.keys : 'world' in step ? step.world.keys : []
  return (keys ?? []).map((key) => key.label ?? key.value ?? '')
}
