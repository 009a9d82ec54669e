/** What a reader of a scenario must know. `{steps}` stands for steps, such as `steps[3]`. */
export interface StepWarning {
  readonly text: string
  /** The indexes of the steps. Empty for a warning about no step */
  readonly steps: readonly number[]
}

const shownSteps = 3

export function nameOfStep(index: number): string {
  return `steps[${index}]`
}

/**
 * Writes warnings as sentences. One whose steps are all gone is left out.
 *
 * @param nameOf names a step for the reader. Null if it is not there
 */
export function formatStepWarnings(
  warnings: readonly StepWarning[],
  nameOf: (step: number) => string | null = nameOfStep,
): string[] {
  return warnings.flatMap(({ text, steps }) => {
    if (steps.length === 0) return [text]
    const places = steps.flatMap((step) => nameOf(step) ?? [])
    const shown = places.length > shownSteps ? [...places.slice(0, shownSteps), '…'] : places
    return places.length === 0 ? [] : [text.replace('{steps}', shown.join(', '))]
  })
}
