import type { ScenarioRun } from './runs.ts'

interface RunOutcomeProps {
  readonly run: ScenarioRun | undefined
  /** How many steps it has. */
  readonly steps: number
}

/** How a replay ended, or how far it has come. */
export function RunOutcome({ run, steps }: RunOutcomeProps) {
  if (!run) return <span class="dim">–</span>
  const { result, error } = run
  if (error) return <span class="outcome differed">broke off</span>
  if (result === null) {
    return (
      <progress max={steps} value={run.steps.length} aria-label="Progress of the replay">
        {run.steps.length} of {steps}
      </progress>
    )
  }
  return result.held ? (
    <span class="outcome held">held</span>
  ) : (
    <span class="outcome differed">differed</span>
  )
}
