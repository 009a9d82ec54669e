import type { StepResult } from '../../scenarios/result.ts'

interface StepListProps {
  /** Of all steps; empty for a scenario that is not at hand. */
  readonly titles: readonly string[]
  /** Those that were run. */
  readonly steps: readonly StepResult[]
}

/** The steps in their order, with how each came out. */
export function StepList({ titles, steps }: StepListProps) {
  const all = Array.from({ length: Math.max(titles.length, steps.length) }, (_, index) => index)
  return (
    <section>
      <h3>Steps</h3>
      <ol class="steps">
        {all.map((index) => {
          const step = steps[index]
          return (
            <li key={index}>
              <span class={`outcome ${step?.outcome ?? 'waiting'}`}>
                {step?.outcome ?? 'not run'}
              </span>
              <span class="line">{step?.title ?? titles[index]}</span>
              {step?.answer && <span class="dim">{step.answer.status || 'broken'}</span>}
              {step && <span class="dim">{step.ms.toFixed(1)} ms</span>}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
