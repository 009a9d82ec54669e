import { useEffect, useRef } from 'preact/hooks'
import type { Scenario } from '../../scenarios/scenario.ts'
import { JsonView } from '../kit/json-view.tsx'
import { useDashboard } from '../kit/place.ts'
import { ErrorMessage } from '../kit/states.tsx'
import { useLoad } from '../kit/use-load.ts'
import { FirstDifference } from './first-difference.tsx'
import { RunOutcome } from './outcome.tsx'
import type { ScenarioRun } from './runs.ts'
import { StepList } from './step-list.tsx'

interface RunViewProps {
  readonly name: string
  readonly run: ScenarioRun | undefined
  readonly onRun: () => void
  readonly back: string
}

/** A scenario and its latest replay: each step as it came out, and the first difference. */
export function RunView({ name, run, onRun, back }: RunViewProps) {
  const { server } = useDashboard()
  const { value } = useLoad(async () => (await server.scenarios.get(name)) ?? null, [server, name])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [name])
  const close = () => {
    location.hash = back
  }
  const first = run?.steps.find(({ differences }) => differences.length > 0)
  const steps = value?.steps.length ?? run?.steps.length ?? 0
  return (
    <section
      class="detail"
      aria-label="Scenario"
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {value?.title ?? run?.result?.title ?? name}
        </h2>
        {value && (
          <button type="button" class="primary" onClick={onRun}>
            Run
          </button>
        )}
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {value?.description && <p>{value.description}</p>}
      <p class="facts">
        <RunOutcome run={run} steps={steps} />
        {run?.result && <span>{run.result.ms.toFixed(1)} ms</span>}
        <span>{steps} steps</span>
      </p>
      {run?.error && <ErrorMessage error={run.error} />}
      {first && <FirstDifference step={first} />}
      <StepList titles={stepTitles(value ?? null)} steps={run?.steps ?? []} />
      {value && (
        <details>
          <summary>The file</summary>
          <JsonView value={value} label="The scenario as JSON" />
        </details>
      )}
    </section>
  )
}

/** What stands for each step before it was run. */
function stepTitles(scenario: Scenario | null): string[] {
  return (scenario?.steps ?? []).map((step) => {
    if (step.title !== undefined) return step.title
    return 'method' in step ? `${step.method} ${step.path}` : (Object.keys(step)[0] ?? '')
  })
}
