import { useEffect, useRef } from 'preact/hooks'
import type { Scenario } from '../../../scenarios/format/scenario.ts'
import type { StepDifference, StepResult } from '../../../scenarios/run/result.ts'
import { useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { JsonView } from '../kit/json-view.tsx'
import { RunOutcome, type ScenarioRun } from './runs.tsx'

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

/** Where a replay first came out otherwise: what was expected and what came, side by side. */
function FirstDifference({ step }: { step: StepResult }) {
  const { link } = useDashboard()
  const [first, ...others] = step.differences as [StepDifference, ...StepDifference[]]
  return (
    <section class="difference" aria-label="First difference">
      <h3>
        First difference: step {step.step}, <code>{first.where}</code>
      </h3>
      <p class="line dim">
        {step.title}
        {step.request && ` · ${step.request.method} ${step.request.url}`}
      </p>
      <div class="pair">
        <div>
          <h4>Expected</h4>
          <JsonView value={displayValue(first.expected)} label="Expected" />
        </div>
        <div>
          <h4>Got</h4>
          <JsonView value={displayValue(first.got)} label="Got" />
        </div>
      </div>
      {step.decided_by.length > 0 && (
        <ul class="plain policies">
          {step.decided_by.map(({ id, setting, would_be, evidence, source }) => (
            <li key={id}>
              Decided by <a href={link('controls', 'policies', id)}>{id}</a> ={' '}
              <code>{setting}</code> <span class={`tag ${evidence}`}>{evidence}</span>{' '}
              <span class="dim">{source}</span>; as expected with <code>{would_be}</code>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <p class="dim">Also different: {others.map(({ where }) => where).join(', ')}</p>
      )}
      {step.answer && (
        <details>
          <summary>The whole answer</summary>
          <JsonView value={parseJsonOrText(step.answer.text)} label="The whole answer" />
        </details>
      )}
    </section>
  )
}

function displayValue(value: unknown): unknown {
  return value === undefined ? 'nothing' : value
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface StepListProps {
  /** Of all steps; empty for a scenario that is not at hand. */
  readonly titles: readonly string[]
  /** Those that were run. */
  readonly steps: readonly StepResult[]
}

/** The steps in their order, with how each came out. */
function StepList({ titles, steps }: StepListProps) {
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
